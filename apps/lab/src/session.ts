import { memoryStore, type Store } from '@spillway/core'
import { findRedis, howToGetRedis, startRedis } from '@spillway/testbed'
import { localClock } from './local-clock.js'
import { NoResult } from './no-result.js'
import { openRedis } from './open-redis.js'
import type { RedisLink } from './redis-link.js'
import { type DriverName, redisAddress, type StoreSettings } from './settings.js'
import { type StoreClock, storeClock } from './store-clock.js'

/** What a run works with: a store, the clock it decides by, and how to look into it. */
export interface Session {
  readonly kind: 'redis' | 'memory'
  readonly driver: DriverName | null
  /** What it is, for people: `Redis 7.0.15 through ioredis`. */
  readonly title: string
  readonly store: Store
  readonly clock: StoreClock
  /** To read back what was written; the memory store has nothing to read. */
  readonly redis: RedisLink | undefined
  /** Aborted when the run has to end: interrupted, or Redis is gone. */
  readonly signal: AbortSignal
  /** Closes the connection and stops what was started. */
  close(): Promise<void>
}

/**
 * Opens the store that was asked for: the Redis at hand, or the memory store where there is none.
 *
 * @param note takes one line for people
 * @throws NoResult when Redis cannot be reached, or was asked for and is not at hand
 */
export async function openSession(
  settings: StoreSettings,
  interrupted: AbortSignal,
  note: (line: string) => void,
): Promise<Session> {
  if (settings.store === 'memory') return memorySession(interrupted)
  const url =
    settings.redisUrl ??
    (process.env.REDIS_URL ? redisAddress('REDIS_URL', process.env.REDIS_URL) : undefined)
  if (url !== undefined) return redisSession(url, settings.driver, interrupted)

  const source = await findRedis()
  if (source !== undefined) {
    if (source.kind === 'docker') note('Starting a Redis with Docker …')
    const server = await startRedis().catch((error: unknown) => {
      throw new NoResult(`Redis could not be started: ${messageOf(error)}`, { cause: error })
    })
    return redisSession(server.url, settings.driver, interrupted, server.stop)
  }
  const how = `To get one: ${howToGetRedis()}`
  if (settings.store === 'redis') throw new NoResult(`There is no Redis at hand. ${how}`)
  note(`There is no Redis at hand, so this runs on the memory store. ${how}`)
  return memorySession(interrupted)
}

function memorySession(signal: AbortSignal): Session {
  return {
    kind: 'memory',
    driver: null,
    title: 'the memory store of this process',
    store: memoryStore({ clock: localClock, maxKeys: 1_000_000 }),
    clock: storeClock(async () => localClock(), signal),
    redis: undefined,
    signal,
    close: async () => {},
  }
}

async function redisSession(
  url: string,
  driver: DriverName,
  interrupted: AbortSignal,
  stop: () => Promise<void> = async () => {},
): Promise<Session> {
  const { host } = new URL(url)
  const lost = new AbortController()
  const signal = AbortSignal.any([interrupted, lost.signal])
  try {
    const redis = await openRedis(driver, {
      url,
      onLost: (cause) =>
        lost.abort(new NoResult(`Redis at ${host} is gone: ${messageOf(cause)}`, { cause })),
    })
    return {
      kind: 'redis',
      driver,
      title: `${await serverName(redis)} through ${driver}`,
      store: redis.store,
      clock: storeClock(redis.time, signal),
      redis,
      signal,
      async close() {
        redis.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw new NoResult(`Redis at ${host} cannot be reached: ${messageOf(error)}`, { cause: error })
  }
}

/** `Redis 7.0.15`, or just `Redis` where INFO is refused, as some hosts do. */
async function serverName(redis: RedisLink): Promise<string> {
  const info = await redis.info('server').catch(() => '')
  const [, valkey] = /^valkey_version:(\S+)/m.exec(info) ?? []
  if (valkey !== undefined) return `Valkey ${valkey}`
  const [, version] = /^redis_version:(\S+)/m.exec(info) ?? []
  return version === undefined ? 'Redis' : `Redis ${version}`
}

/** The innermost message there is: an AggregateError, as of a refused connection, has none of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
