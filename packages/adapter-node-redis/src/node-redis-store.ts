import { invalid, type Store } from '@spillway/core'
import { type RedisDriver, type RedisStoreOptions, redisStore } from '@spillway/store-redis'

/** What is used of a node-redis client: a client, cluster, sentinel or pool of `redis` 5 or 6. */
export interface NodeRedisClient {
  readonly isOpen: boolean
  /** Missing in a pool, and in a cluster of node-redis 5. */
  readonly isReady?: boolean
  /** What only a cluster has. */
  readonly slots?: unknown
  /** Of a cluster: empty until it has found its nodes. */
  readonly masters?: readonly unknown[]
  evalSha(sha: string, options: EvalOptions): Promise<unknown>
  eval(script: string, options: EvalOptions): Promise<unknown>
  del(keys: string[]): Promise<unknown>
}

interface EvalOptions {
  keys: string[]
  arguments: string[]
}

/**
 * A store on Redis through node-redis. The client stays yours: connect it before the first
 * decision, close it after the last one; nothing is added to it.
 *
 * Without a connection, decisions fail at once with `STORE_UNAVAILABLE`, instead of waiting in the
 * client's queue. A pool or a cluster needs {@link nodeRedisOptions} to that end. Behind Sentinel,
 * {@link nodeRedisSentinelOptions} keep node-redis from sending a call again, which may count a
 * request twice.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for something that is no client, or a bad option
 */
export function nodeRedisStore(client: NodeRedisClient, options?: RedisStoreOptions): Store {
  if (typeof client?.evalSha !== 'function') {
    throw invalid('client', 'must be a node-redis client, cluster, sentinel or pool', client)
  }
  const driver: RedisDriver = {
    name: 'node-redis',
    clustered: client.slots !== undefined,
    sendsOnceATurn: true,
    ready: () => client.isReady ?? (client.isOpen && client.masters?.length !== 0),
    opened: async () => {
      throw new Error(
        client.isOpen
          ? 'the client is open but has no connection at the moment'
          : 'the client is not open: await client.connect() first',
      )
    },
    evalsha: (sha, keys, args) => client.evalSha(sha, { keys, arguments: args }),
    eval: (script, keys, args) => client.eval(script, { keys, arguments: args }),
    del: (keys) => client.del(keys),
    notExecuted: isUnsent,
  }
  return redisStore(driver, options)
}

/** How a connection, or a pool without one, refuses a command: node-redis says so in words only. */
function isUnsent(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(The client is (offline|closed)$|Timeout waiting for a client)/.test(error.message)
  )
}
