import { ioredisStore } from '@spillway/adapter-ioredis'
import { createLimiter } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GcraOptions, gcra } from '../src/index.js'
import { openRedis } from './open-redis.js'

// The stored format is public and stays as it is: a change of what stands here needs a new name
// for the algorithm.

const start = 1_800_000_000_000_000
let redis: Awaited<ReturnType<typeof openRedis>>

beforeAll(async () => {
  redis = await openRedis()
})
afterAll(() => redis?.close())

/** A limiter on a manual clock, and what Redis holds of one key. */
function opened(
  key: string,
  options: GcraOptions = { limit: 10, window: '1s' },
  prefix = redis.prefix,
) {
  const clock = { now: start }
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => clock.now }),
    prefix,
    policies: { api: gcra(options) },
  })
  const stored = `${prefix}:api:gcra:{${key}}`
  return { clock, limiter, stored, held: () => redis.client.get(stored) }
}

describe('Redis holds a string', () => {
  test('of the time, in microseconds, at which everything spent will have drained', async () => {
    const { clock, limiter, held } = opened('one')
    await limiter.consume('one', 3)
    expect(await held()).toBe('1800000000300000')
    clock.now += 50_000
    await limiter.consume('one')
    expect(await held()).toBe('1800000000400000')
    clock.now += 1_000_000
    await limiter.consume('one')
    expect(await held()).toBe('1800000001150000')
  })

  test('and, where there are any, of parts of a microsecond behind a colon', async () => {
    const { clock, limiter, held } = opened('parts', { limit: 7000, window: '1s' })
    await limiter.consume('parts') // 142 6/7 µs
    expect(await held()).toBe('1800000000000142:6')
    await limiter.consume('parts', 2)
    expect(await held()).toBe('1800000000000428:4')
    await limiter.consume('parts', 4)
    expect(await held()).toBe('1800000000001000')
    clock.now += 1
    await limiter.consume('parts')
    expect(await held()).toBe('1800000000001142:6')
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, limiter, held } = opened('denied')
    await limiter.consume('denied', 10)
    clock.now += 1
    await limiter.consume('denied')
    await limiter.peek('denied')
    expect(await held()).toBe('1800000001000000')
  })

  test('which a refund sets back, by what has not drained since', async () => {
    const { clock, limiter, held } = opened('refund')
    const decision = await limiter.consume('refund', 3)
    await limiter.consume('refund', 4)
    clock.now += 50_000
    if (decision.allowed) await limiter.refund(decision)
    expect(await held()).toBe('1800000000450000')
  })

  test('that goes with the last unit given back, and with a reset', async () => {
    const { limiter, stored } = opened('gone')
    const decision = await limiter.consume('gone', 3)
    if (decision.allowed) await limiter.refund(decision)
    expect(await redis.client.exists(stored)).toBe(0)
    await limiter.consume('gone', 3)
    await limiter.reset('gone')
    expect(await redis.client.exists(stored)).toBe(0)
  })

  test.each<[string, GcraOptions, number]>([
    ['without parts', { limit: 10, window: '1s' }, 3],
    ['with a part', { limit: 7000, window: '1s' }, 3],
    ['with as long a part as there is', { limit: 2_999_999_999, window: '1s' }, 2_999_999_998],
  ])('of at most 120 bytes with its key, %s', async (name, options, cost) => {
    const { limiter, stored, held } = opened('user:42', options, 'spillway')
    await limiter.reset('user:42')
    await limiter.consume('user:42', cost)
    expect(stored).toBe('spillway:api:gcra:{user:42}')
    expect(await held()).toMatch(name === 'without parts' ? /^\d{16}$/ : /^\d{16}:\d+$/)
    expect(await redis.client.memory('USAGE', stored)).toBeLessThanOrEqual(120)
  })
})

describe('a key is kept', () => {
  test('until everything has drained, by the time of the server', async () => {
    const limiter = createLimiter({
      store: ioredisStore(redis.client),
      prefix: redis.prefix,
      policies: { api: gcra({ limit: 10, window: '10s' }) },
    })
    await limiter.consume('ttl', 5)
    const ttl = await redis.client.pttl(`${redis.prefix}:api:gcra:{ttl}`)
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
