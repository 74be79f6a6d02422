import rateLimit from '@fastify/rate-limit'
import { ioredisOptions, ioredisStore } from '@spillway/adapter-ioredis'
import { gcra } from '@spillway/algo-gcra'
import { createLimiter } from '@spillway/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

/** A server that limits callers before it answers, or does not. */
export interface Served {
  readonly name: string
  /** @param redis not connected, so that a server without a limiter leaves it alone */
  limit?(app: FastifyInstance, redis: Redis): Promise<void>
}

/** Who a caller is: what a benchmark sends instead of an API key. */
const callerOf = (headers: { readonly [name: string]: unknown }): string =>
  String(headers['x-caller'])

const limit = 1_000_000

/** The same server each time, and what stands in front of its one route. */
export const servers: readonly Served[] = [
  { name: 'bare' },
  {
    name: 'spillway, gcra',
    async limit(app, redis) {
      const limiter = createLimiter({
        store: ioredisStore(redis),
        policies: { http: gcra({ limit, window: '1h' }) },
      })
      app.addHook('onRequest', async (request, reply) => {
        const decision = await limiter.consume(callerOf(request.headers))
        if (decision.allowed) return
        reply.header('Retry-After', Math.ceil(decision.retryAfterMs / 1000))
        await reply.code(429).send()
      })
    },
  },
  {
    // https://github.com/animir/node-rate-limiter-flexible/wiki/Fastify
    name: 'rate-limiter-flexible',
    async limit(app, redis) {
      const limiter = new RateLimiterRedis({ storeClient: redis, points: limit, duration: 3600 })
      app.addHook('onRequest', async (request, reply) => {
        try {
          await limiter.consume(callerOf(request.headers))
        } catch (reason) {
          if (!(reason instanceof RateLimiterRes)) throw reason
          reply.header('Retry-After', Math.ceil(reason.msBeforeNext / 1000))
          await reply.code(429).send()
        }
      })
    },
  },
  {
    // https://github.com/fastify/fastify-rate-limit#usage
    name: '@fastify/rate-limit',
    async limit(app, redis) {
      await app.register(rateLimit, {
        max: limit,
        timeWindow: '1 hour',
        redis,
        keyGenerator: ({ headers }) => callerOf(headers),
      })
    },
  },
]

/** Serves until this process ends; tells its port to the parent process. */
export async function serve(name: string, redisUrl: string): Promise<void> {
  const served = servers.find((one) => one.name === name)
  if (served === undefined) throw new Error(`there is no server "${name}"`)
  const app = Fastify()
  const redis = new Redis(redisUrl, { ...ioredisOptions, lazyConnect: true })
  if (served.limit !== undefined) {
    await redis.connect()
    await served.limit(app, redis)
  }
  app.get('/', async () => ({ hello: 'world' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
  process.once('disconnect', () => process.exit())
}
