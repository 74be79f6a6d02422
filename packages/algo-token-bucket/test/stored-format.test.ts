import { ioredisStore } from '@spillway/adapter-ioredis'
import { createLimiter } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TokenBucketOptions, tokenBucket } from '../src/index.js'
import { openRedis } from './open-redis.js'

// The stored format is public and stays as it is: a change of what stands here needs a new name
// for the algorithm.

const start = 1_800_000_000_000_000
const second = 1_000_000
const batches = { capacity: 10, refill: 4, interval: '1s', refillBy: 'interval' } as const
let redis: Awaited<ReturnType<typeof openRedis>>

beforeAll(async () => {
  redis = await openRedis()
})
afterAll(() => redis?.close())

/** A limiter on a manual clock, and what Redis holds of one key. */
function opened(key: string, options: TokenBucketOptions = batches) {
  const clock = { now: start }
  const policy = tokenBucket(options)
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => clock.now }),
    prefix: redis.prefix,
    policies: { api: policy },
  })
  const stored = `${redis.prefix}:api:${policy.algorithm.name}:{${key}}`
  return { clock, limiter, stored, held: () => redis.client.get(stored) }
}

test('refilled continuously, Redis holds what it holds for gcra: when the bucket will be full', async () => {
  const { limiter, stored, held } = opened('one', { capacity: 100, refill: 10, interval: '1s' })
  await limiter.consume('one', 30)
  expect(stored).toBe(`${redis.prefix}:api:gcra:{one}`)
  expect(await held()).toBe('1800000003000000')
  const { limiter: uneven, held: parts } = opened('parts', {
    capacity: 10,
    refill: 7000,
    interval: '1s',
  })
  await uneven.consume('parts')
  expect(await parts()).toBe('1800000000000142:6')
})

describe('refilled by the interval, Redis holds a string', () => {
  test('of the time at which the bucket will be full, and by how much the last refill is too large', async () => {
    const { clock, limiter, stored, held } = opened('one')
    await limiter.consume('one')
    expect(stored).toBe(`${redis.prefix}:api:interval-bucket:{one}`)
    expect(await held()).toBe('1800000001000000:3')
    clock.now += 300_000
    await limiter.consume('one', 3)
    expect(await held()).toBe('1800000001000000:0')
    await limiter.consume('one', 5)
    expect(await held()).toBe('1800000003000000:3')
    clock.now = start + 10 * second
    await limiter.consume('one', 10)
    expect(await held()).toBe('1800000013000000:2')
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, limiter, held } = opened('denied')
    await limiter.consume('denied', 10)
    clock.now += second
    await limiter.consume('denied', 5)
    await limiter.peek('denied')
    expect(await held()).toBe('1800000003000000:2')
  })

  test('which a refund sets back, by what no batch has brought since', async () => {
    const { clock, limiter, held } = opened('refund')
    const decision = await limiter.consume('refund', 6)
    await limiter.consume('refund', 4)
    clock.now += second
    if (decision.allowed) await limiter.refund(decision)
    expect(await held()).toBe('1800000002000000:0')
  })

  test('that goes with the last token given back, and with a reset', async () => {
    const { limiter, stored } = opened('gone')
    const decision = await limiter.consume('gone', 3)
    if (decision.allowed) await limiter.refund(decision)
    expect(await redis.client.exists(stored)).toBe(0)
    await limiter.consume('gone', 3)
    await limiter.reset('gone')
    expect(await redis.client.exists(stored)).toBe(0)
  })
})

test.each<[number, TokenBucketOptions]>([
  [120, { capacity: 100, refill: 10, interval: '1s' }],
  [120, { capacity: 100, refill: 7000, interval: '1s' }],
  [120, batches],
  [140, { capacity: 2 ** 50, refill: 2 ** 50, interval: '1h', refillBy: 'interval' }],
])('a key takes at most %i bytes: %o', async (bytes, options) => {
  const policy = tokenBucket(options)
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => start }),
    policies: { api: policy },
  })
  const stored = `spillway:api:${policy.algorithm.name}:{user:42}`
  await limiter.reset('user:42')
  await limiter.consume('user:42')
  expect(await redis.client.memory('USAGE', stored)).toBeGreaterThan(0)
  expect(await redis.client.memory('USAGE', stored)).toBeLessThanOrEqual(bytes)
})

describe('a key is kept', () => {
  test.each(['continuous', 'interval'] as const)(
    'until the bucket is full, by the time of the server: %s',
    async (refillBy) => {
      const policy = tokenBucket({ capacity: 10, refill: 5, interval: '10s', refillBy })
      const limiter = createLimiter({
        store: ioredisStore(redis.client),
        prefix: redis.prefix,
        policies: { api: policy },
      })
      await limiter.consume('ttl', 5)
      const ttl = await redis.client.pttl(`${redis.prefix}:api:${policy.algorithm.name}:{ttl}`)
      expect(ttl).toBeLessThanOrEqual(11_000)
      expect(ttl).toBeGreaterThan(9000)
    },
  )

  test('for a day at least where a clock is given, since Redis expires keys by its own', async () => {
    const { limiter, stored } = opened('day')
    await limiter.consume('day')
    const ttl = await redis.client.pttl(stored)
    expect(ttl).toBeLessThanOrEqual(86_400_000)
    expect(ttl).toBeGreaterThan(86_390_000)
  })
})
