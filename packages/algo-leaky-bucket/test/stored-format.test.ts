import { ioredisStore } from '@spillway/adapter-ioredis'
import { createLimiter } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LeakyBucketOptions, leakyBucket } from '../src/index.js'
import { openRedis } from './open-redis.js'

// The stored format is public and stays as it is: a change of what stands here needs a new name
// for the algorithm.

const start = 1_800_000_000_000_000
const tenth: LeakyBucketOptions = { limit: 10, window: '1s', queue: 5 }
let redis: Awaited<ReturnType<typeof openRedis>>

beforeAll(async () => {
  redis = await openRedis()
})
afterAll(() => redis?.close())

/** A limiter on a manual clock, and what Redis holds of one key. */
function opened(key: string, options = tenth, prefix = redis.prefix) {
  const clock = { now: start }
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => clock.now }),
    prefix,
    policies: { api: leakyBucket(options) },
  })
  const stored = `${prefix}:api:leaky-bucket:{${key}}`
  return { clock, limiter, stored, held: () => redis.client.get(stored) }
}

describe('Redis holds a string', () => {
  test('of the time, in microseconds, at which the last turn is over', async () => {
    const { clock, limiter, held } = opened('one')
    await limiter.consume('one')
    expect(await held()).toBe('1800000000100000')
    await limiter.consume('one', 2)
    expect(await held()).toBe('1800000000300000')
    clock.now += 1_000_000
    await limiter.consume('one')
    expect(await held()).toBe('1800000001100000')
  })

  test('and, where there are any, of parts of a microsecond behind a colon', async () => {
    const { limiter, held } = opened('parts', { limit: 7000, window: '1s', queue: 10 })
    await limiter.consume('parts') // 142 6/7 µs
    expect(await held()).toBe('1800000000000142:6')
    await limiter.consume('parts', 6)
    expect(await held()).toBe('1800000000001000')
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, limiter, held } = opened('denied')
    await limiter.consume('denied', 6)
    clock.now += 1
    await limiter.consume('denied')
    await limiter.peek('denied')
    expect(await held()).toBe('1800000000600000')
  })

  test('which a refund of the last turn sets back, and of another one does not', async () => {
    const { limiter, held } = opened('refund')
    const first = await limiter.consume('refund', 2)
    const last = await limiter.consume('refund')
    if (first.allowed) await limiter.refund(first)
    expect(await held()).toBe('1800000000300000')
    if (last.allowed) await limiter.refund(last)
    expect(await held()).toBe('1800000000200000')
  })

  test('that goes with the last turn given back, and with a reset', async () => {
    const { limiter, stored } = opened('gone')
    const decision = await limiter.consume('gone', 3)
    if (decision.allowed) await limiter.refund(decision)
    expect(await redis.client.exists(stored)).toBe(0)
    await limiter.consume('gone', 3)
    await limiter.reset('gone')
    expect(await redis.client.exists(stored)).toBe(0)
  })

  test.each<LeakyBucketOptions>([
    tenth,
    { limit: 7000, window: '1s', queue: 5 },
    { limit: 3_999_999_979, window: '1s', queue: 5 },
  ])('of at most 120 bytes with its key: %o', async (options) => {
    const { limiter, stored } = opened('user:42', options, 'spillway')
    await limiter.reset('user:42')
    await limiter.consume('user:42', 5)
    expect(stored).toBe('spillway:api:leaky-bucket:{user:42}')
    expect(await redis.client.memory('USAGE', stored)).toBeGreaterThan(0)
    expect(await redis.client.memory('USAGE', stored)).toBeLessThanOrEqual(120)
  })
})

describe('a key is kept', () => {
  test('until the last turn is over, by the time of the server', async () => {
    const limiter = createLimiter({
      store: ioredisStore(redis.client),
      prefix: redis.prefix,
      policies: { api: leakyBucket({ limit: 10, window: '10s', queue: 9 }) },
    })
    await limiter.consume('ttl', 5)
    const ttl = await redis.client.pttl(`${redis.prefix}:api:leaky-bucket:{ttl}`)
    expect(ttl).toBeLessThanOrEqual(6000)
    expect(ttl).toBeGreaterThan(4000)
  })

  test('for a day at least where a clock is given, since Redis expires keys by its own', async () => {
    const { limiter, stored } = opened('day')
    await limiter.consume('day')
    const ttl = await redis.client.pttl(stored)
    expect(ttl).toBeLessThanOrEqual(86_400_000)
    expect(ttl).toBeGreaterThan(86_390_000)
  })
})
