import type { Clock } from '@spillway/core'
import { NoResult } from './no-result.js'
import type { LinkOptions, RedisLink } from './redis-link.js'
import type { DriverName } from './settings.js'

// As many pings in a row unanswered, one a second, mean that Redis hangs. They are counted instead of timed, since this
// process may itself have been stopped for a while.
const mostUnanswered = 5

/** Connects through one of the drivers, and watches that the server keeps answering. */
export async function openRedis(
  driver: DriverName,
  options: LinkOptions,
  clock?: Clock,
): Promise<RedisLink> {
  let isOver = false
  const lost = (cause: Error): void => {
    if (isOver) return
    close()
    options.onLost(cause)
  }
  // Loading a driver takes longer than all the rest of the lab: only the one in use is.
  const open =
    driver === 'ioredis'
      ? (await import('./open-ioredis.js')).openIoredis
      : (await import('./open-node-redis.js')).openNodeRedis
  const link = await open({ url: options.url, onLost: lost }, clock)

  let unanswered = 0
  const heartbeat = setInterval(() => {
    if (unanswered === mostUnanswered) return lost(new Error(`no answer for ${unanswered} s`))
    unanswered += 1
    link.time().then(
      () => {
        unanswered = 0
      },
      () => {}, // the driver tells of a lost connection by itself
    )
  }, 1000).unref()

  function close(): void {
    isOver = true
    clearInterval(heartbeat)
    link.close()
  }
  return {
    store: link.store,
    newStore: link.newStore,
    time: () => link.time().catch(failed),
    hash: (key) => link.hash(key).catch(failed),
    logSize: (key) => link.logSize(key).catch(failed),
    // Not every hosted Redis has the command.
    bytes: (key) => link.bytes(key).catch(() => null),
    info: (section) => link.info(section).catch(failed),
    close,
  }
}

function failed(error: Error): never {
  throw new NoResult(`Redis failed: ${error.message}`, { cause: error })
}
