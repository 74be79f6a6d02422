import { errorMonitor } from 'node:events'
import { invalid, type Store } from '@spillway/core'
import { type RedisDriver, type RedisStoreOptions, redisStore } from '@spillway/store-redis'

/** What is used of an ioredis client: a `Redis` or a `Cluster` of ioredis 5 or 6. */
export interface IoredisClient {
  readonly status: string
  readonly isCluster: boolean
  readonly options: object
  /** The socket; a `Cluster` has none of its own. */
  readonly stream?: { readonly errored?: Error | null }
  connect(): Promise<void>
  once(event: string | symbol, listener: (error?: unknown) => void): unknown
  off(event: string | symbol, listener: (error?: unknown) => void): unknown
  evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  del(...keys: string[]): Promise<number>
}

/**
 * A store on Redis through ioredis. The client stays yours: nothing is added to it, and it is
 * neither opened nor closed here, except that a `lazyConnect` client connects on the first
 * decision, as it would on any first command.
 *
 * While a client makes its first connection, decisions wait for it, and where it fails, why is the
 * `cause` of `STORE_UNAVAILABLE`. Later, without a connection, they fail at once with that code,
 * instead of waiting in the client's queue.
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
    evalsha: (sha, keys, args) => told(client.evalsha(sha, keys.length, ...keys, ...args)),
    eval: (script, keys, args) => told(client.eval(script, keys.length, ...keys, ...args)),
    del: (keys) => told(client.del(...keys)),
  }
  const store = redisStore(driver, options)
  const resends = mayResend(client)
  if (resends) warn(client)
  return store

  // Where a call may have been sent again, an earlier attempt may have been executed.
  function told(reply: Promise<unknown>): Promise<unknown> {
    return resends || !client.isCluster ? reply : reply.catch(throwLastRefusal)
  }
}

function firstConnection(client: IoredisClient): Promise<void> {
  return new Promise((resolve, reject) => {
    let reason: unknown
    const learn = (error: unknown) => {
      reason = error
    }
    const ready = () => settle(resolve)
    // ioredis itself only says that the connection is closed. Why, it tells those who listen; where
    // nobody does it prints that, and a socket still knows its own error.
    const failed = () => settle(() => reject(reason ?? client.stream?.errored ?? unexplained()))
    const settle = (how: () => void) => {
      client.off(errorMonitor, learn)
      client.off('ready', ready)
      client.off('close', failed)
      client.off('end', failed)
      how()
    }
    // Not 'error': of one that has a listener, ioredis prints nothing.
    client.once(errorMonitor, learn)
    client.once('ready', ready)
    client.once('close', failed)
    client.once('end', failed)
    if (client.status === 'wait') client.connect().catch(failed)
  })
}

function unexplained(): Error {
  return new Error(
    "the first connection failed; the reason, if any, is in the client's 'error' event",
  )
}

/**
 * A Cluster gives up a call that each node in turn has refused with an error of its own, which
 * holds the last refusal in its message and nowhere else.
 */
function throwLastRefusal(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  const refusal = /^Too many Cluster redirections\. Last error: ReplyError: (.+)/s.exec(
    message,
  )?.[1]
  throw refusal === undefined ? error : new Error(refusal, { cause: error })
}

interface ClientOptions {
  readonly maxRetriesPerRequest?: unknown
  readonly retryStrategy?: unknown
  readonly retryDelayOnFailover?: unknown
  readonly clusterNodeRetryStrategy?: unknown
  readonly redisOptions?: { readonly maxRetriesPerRequest?: unknown }
}

/** Whether the client sends a call again whose answer was lost with the connection. */
function mayResend({ isCluster, options }: IoredisClient): boolean {
  const own: ClientOptions = options
  if (!isCluster) {
    return own.maxRetriesPerRequest !== 0 && typeof own.retryStrategy === 'function'
  }
  const nodesResend =
    typeof own.clusterNodeRetryStrategy === 'function' &&
    own.redisOptions?.maxRetriesPerRequest !== 0
  return own.retryDelayOnFailover !== 0 || nodesResend
}

const warned = new WeakSet<IoredisClient>()

function warn(client: IoredisClient): void {
  if (warned.has(client)) return
  warned.add(client)
  process.emitWarning(
    'This ioredis client sends commands again after a reconnect, which may count a request twice. ' +
      `Create it with ${client.isCluster ? 'ioredisClusterOptions' : 'ioredisOptions'} of ` +
      '@spillway/adapter-ioredis.',
    { type: 'SpillwayWarning', code: 'SPILLWAY_IOREDIS_RESENDS' },
  )
}
