import makeLimiter from 'redis-gcra'
import { connectIoredis } from '../connection.js'
import type { Subject } from '../subject.js'

/** It takes ioredis only. https://github.com/Losant/redis-gcra#api-documentation */
export const redisGcra: Subject = {
  name: 'redis-gcra',
  group: 'peer',
  driver: 'ioredis',
  async open(url, { limit, windowMs }) {
    const redis = await connectIoredis(url)
    const limiter = makeLimiter({
      redis,
      keyPrefix: 'redis-gcra',
      burst: limit,
      rate: limit,
      period: windowMs,
    })
    return {
      decide: (key) => limiter.limit({ key }),
      allows: (answer) => !(answer as { limited: boolean }).limited,
      close: () => redis.disconnect(),
    }
  },
}
