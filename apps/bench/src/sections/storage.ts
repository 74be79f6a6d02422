import type { OwnRedis } from '@spillway/testbed'
import { askEach, keysOf } from '../keys-of.js'
import type { Section } from '../section.js'
import type { Subject } from '../subject.js'
import { fastifyRateLimit } from '../subjects/fastify-rate-limit.js'
import { lessons } from '../subjects/lessons.js'
import { rateLimitRedis } from '../subjects/rate-limit-redis.js'
import { rateLimiterFlexible } from '../subjects/rate-limiter-flexible.js'
import { redisGcra } from '../subjects/redis-gcra.js'
import { type AlgorithmName, algorithms, spillway } from '../subjects/spillway.js'
import { withOpen } from '../with-open.js'
import { withRedis } from '../with-redis.js'

const subjects: readonly Subject[] = [
  ...lessons('ioredis'),
  rateLimiterFlexible('ioredis'),
  rateLimitRedis('ioredis'),
  fastifyRateLimit,
  redisGcra,
  ...Object.keys(algorithms).map((name) => spillway('ioredis', name as AlgorithmName)),
]

interface Storage {
  readonly subject: string
  /** Of a key that was asked for once, its name included. */
  readonly bytesPerKey: number
  /** What each further request adds, up to 100 and up to 10,000. */
  readonly bytesPerRequest: { readonly upTo100: number; readonly upTo10000: number }
}

/** What Redis has to remember. */
export const storage: Section = {
  title: 'In the memory of Redis',
  async run({ isQuick }) {
    const found = await withRedis(async (redis) => {
      const all: Storage[] = []
      for (const subject of subjects) all.push(await measure(redis, subject, isQuick))
      return all
    })
    return {
      figures: found,
      bars: [],
      tables: [
        {
          title: 'bytes',
          columns: ['', 'a key', 'a request, up to 100', 'up to 10,000'],
          rows: found.map(({ subject, bytesPerKey, bytesPerRequest }) => [
            subject,
            bytesPerKey.toFixed(0),
            bytesPerRequest.upTo100.toFixed(1),
            bytesPerRequest.upTo10000.toFixed(1),
          ]),
        },
      ],
      charts: [],
    }
  },
}

async function measure(redis: OwnRedis, subject: Subject, isQuick: boolean): Promise<Storage> {
  return withOpen([subject], redis.url, { limit: 20_000, windowMs: 3_600_000 }, async (open) => {
    const { decide } = open.get(subject)!
    const bytesAfter = async (times: number): Promise<number> => {
      await redis.command('FLUSHALL')
      await askEach(decide, keysOf('of', 1), times)
      return storedBytes(redis)
    }
    const most = isQuick ? 1000 : 10_000
    const bytesPerKey = await bytesAfter(1)
    return {
      subject: subject.name,
      bytesPerKey,
      bytesPerRequest: {
        upTo100: ((await bytesAfter(100)) - bytesPerKey) / 99,
        upTo10000: ((await bytesAfter(most)) - bytesPerKey) / (most - 1),
      },
    }
  })
}

/** What all keys and their values take, as MEMORY USAGE counts it. */
async function storedBytes(redis: OwnRedis): Promise<number> {
  const keys = await redis.command('KEYS', '*')
  let bytes = 0
  for (const key of Array.isArray(keys) ? keys.map(String) : []) {
    bytes += Number(await redis.command('MEMORY', 'USAGE', key, 'SAMPLES', 0))
  }
  return bytes
}
