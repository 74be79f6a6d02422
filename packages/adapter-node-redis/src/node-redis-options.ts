/**
 * Options for every connection (of `createClient`, of `createClientPool`, as `defaults` of
 * `createCluster`): without its server, a command fails at once, instead of waiting in the client's
 * queue. A client is looked at before anything is sent; of a pool or a cluster only its connections
 * know.
 */
export const nodeRedisOptions: { readonly disableOfflineQueue: true } = {
  disableOfflineQueue: true,
}

/**
 * Options for `createSentinel`: a call whose answer is lost fails, instead of being sent again and
 * counted twice, which is node-redis's default behind Sentinel, and only there.
 */
export const nodeRedisSentinelOptions: { readonly maxCommandRediscovers: 0 } = {
  maxCommandRediscovers: 0,
}
