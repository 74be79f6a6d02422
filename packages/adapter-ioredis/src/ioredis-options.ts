/**
 * Options for `new Redis(…)`: a call whose answer is lost fails, instead of being sent again after
 * the reconnect and counted twice, which is ioredis's default.
 */
export const ioredisOptions: { readonly maxRetriesPerRequest: 0 } = { maxRetriesPerRequest: 0 }

/** Options for `new Cluster(nodes, …)`, to the same end. */
export const ioredisClusterOptions: { readonly retryDelayOnFailover: 0 } = {
  retryDelayOnFailover: 0,
}
