import type { Clock } from '@spillway/core'
import { NoResult } from './no-result.js'
import { openIoredis } from './open-ioredis.js'
import { openNodeRedis } from './open-node-redis.js'
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
  const open = driver === 'ioredis' ? openIoredis : openNodeRedis
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
    time: () => link.time().catch(failed),
    hash: (key) => link.hash(key).catch(failed),
    logSize: (key) => link.logSize(key).catch(failed),
    info: () => link.info().catch(failed),
    close,
  }
}

function failed(error: Error): never {
  throw new NoResult(`Redis failed: ${error.message}`, { cause: error })
}
