import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { connectIoredis, connectNodeRedis } from '../connection.js'
import type { Driver, Limit, OpenSubject, Subject } from '../subject.js'

export const flexible = 'rate-limiter-flexible'

/** https://github.com/animir/node-rate-limiter-flexible/wiki/Redis */
export function rateLimiterFlexible(driver: Driver): Subject {
  return {
    name: flexible,
    group: 'peer',
    driver,
    async open(url, limit) {
      if (driver === 'ioredis') {
        const storeClient = await connectIoredis(url)
        return limited({ storeClient }, limit, () => storeClient.disconnect())
      }
      const storeClient = await connectNodeRedis(url)
      return limited({ storeClient, useRedisPackage: true }, limit, () => storeClient.destroy())
    },
  }
}

function limited(
  client: { storeClient: unknown; useRedisPackage?: boolean },
  { limit, windowMs }: Limit,
  close: () => void,
): OpenSubject {
  const limiter = new RateLimiterRedis({ ...client, points: limit, duration: windowMs / 1000 })
  return {
    // A denial is a rejection, which whoever uses it has to catch.
    decide: (key) => limiter.consume(key).catch(denial),
    allows: (answer) => (answer as RateLimiterRes).consumedPoints <= limit,
    close,
  }
}

function denial(reason: unknown): unknown {
  if (reason instanceof RateLimiterRes) return reason
  throw reason
}
