import RedisStore from '@fastify/rate-limit/store/RedisStore.js'
import { connectIoredis } from '../connection.js'
import type { Subject } from '../subject.js'

/**
 * The Redis store of @fastify/rate-limit, asked as the plugin asks it. It takes ioredis only.
 * https://github.com/fastify/fastify-rate-limit#options
 */
export const fastifyRateLimit: Subject = {
  name: '@fastify/rate-limit',
  group: 'peer',
  driver: 'ioredis',
  async open(url, { limit, windowMs }) {
    const redis = await connectIoredis(url)
    const store = new RedisStore(false, false, redis)
    return {
      decide: (key) =>
        new Promise((resolve, reject) => {
          const answered = (error: Error | null, result: object) =>
            error === null ? resolve(result) : reject(error)
          store.incr(key, answered, windowMs, limit)
        }),
      allows: (answer) => (answer as { current: number }).current <= limit,
      close: () => redis.disconnect(),
    }
  },
}
