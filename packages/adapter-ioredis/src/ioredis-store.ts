import { invalid, type Store } from '@spillway/core'
import { type RedisDriver, type RedisStoreOptions, redisStore } from '@spillway/store-redis'

/** What is used of an ioredis client: a `Redis` or a `Cluster` of ioredis 5 or 6. */
export interface IoredisClient {
  readonly status: string
  readonly isCluster: boolean
  readonly options: object
  connect(): Promise<void>
  once(event: string, listener: () => void): unknown
  off(event: string, listener: () => void): unknown
  evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  del(...keys: string[]): Promise<number>
}

/**
 * A store on Redis through ioredis. The client stays yours: nothing is added to it, and it is
 * neither opened nor closed here, except that a `lazyConnect` client connects on the first
 * decision, as it would on any first command.
 *
 * While a client makes its first connection, decisions wait for it. Later, without a connection,
 * they fail at once with `STORE_UNAVAILABLE`, instead of waiting in the client's queue.
 *
 * Give the client {@link ioredisOptions} (a `Cluster` {@link ioredisClusterOptions}): with its
 * defaults it sends a call again after a reconnect, which may count a request twice. A client that
 * would draws one process warning with the code `SPILLWAY_IOREDIS_RESENDS`.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for something that is no client, or a bad option
 */
export function ioredisStore(client: IoredisClient, options?: RedisStoreOptions): Store {
  if (typeof client?.evalsha !== 'function') {
    throw invalid('client', 'must be a Redis or Cluster of ioredis', client)
  }
  let wasReady = false
  let opening: Promise<void> | undefined
  const driver: RedisDriver = {
    name: 'ioredis',
    clustered: client.isCluster,
    ready() {
      const ready = client.status === 'ready'
      if (ready) wasReady = true
      return ready
    },
    opened() {
      const { status } = client
      if (wasReady || !/^(wait|connecting|connect)$/.test(status)) {
        return Promise.reject(new Error(`the client's status is "${status}"`))
      }
      opening ??= firstConnection(client).finally(() => {
        opening = undefined
      })
      return opening
    },
    evalsha: (sha, keys, args) => client.evalsha(sha, keys.length, ...keys, ...args),
    eval: (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
    del: (keys) => client.del(...keys),
  }
  const store = redisStore(driver, options)
  warnIfResending(client)
  return store
}

function firstConnection(client: IoredisClient): Promise<void> {
  if (client.status === 'wait') return client.connect()
  return new Promise((resolve, reject) => {
    const ready = () => settle(resolve)
    const failed = () => settle(() => reject(new Error('the first connection failed')))
    const settle = (how: () => void) => {
      client.off('ready', ready)
      client.off('close', failed)
      client.off('end', failed)
      how()
    }
    client.once('ready', ready)
    client.once('close', failed)
    client.once('end', failed)
  })
}

const warned = new WeakSet<IoredisClient>()

function warnIfResending(client: IoredisClient): void {
  const { maxRetriesPerRequest, retryDelayOnFailover } = client.options as {
    readonly maxRetriesPerRequest?: unknown
    readonly retryDelayOnFailover?: unknown
  }
  const safe = client.isCluster ? retryDelayOnFailover === 0 : maxRetriesPerRequest === 0
  if (safe || warned.has(client)) return
  warned.add(client)
  const [option, name] = client.isCluster
    ? ['retryDelayOnFailover', 'ioredisClusterOptions']
    : ['maxRetriesPerRequest', 'ioredisOptions']
  process.emitWarning(
    'This ioredis client sends commands again after a reconnect, which may count a request twice. ' +
      `Create it with ${option}: 0, as in ${name} of @spillway/adapter-ioredis.`,
    { type: 'SpillwayWarning', code: 'SPILLWAY_IOREDIS_RESENDS' },
  )
}
