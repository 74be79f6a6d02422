import { ioredisStore } from '@spillway/adapter-ioredis'
import { createLimiter } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slidingWindow } from '../src/index.js'
import { openRedis } from './open-redis.js'

// The stored format is public and stays as it is: a change of what stands here needs a new name
// for the algorithm.

const start = 1_800_000_000_000_000
const second = 1_000_000
let redis: Awaited<ReturnType<typeof openRedis>>

beforeAll(async () => {
  redis = await openRedis()
})
afterAll(() => redis?.close())

/** A limiter on a manual clock, and what Redis holds of one key: member, score, member, score … */
function opened(key: string, limit = 8) {
  const clock = { now: start }
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => clock.now }),
    prefix: redis.prefix,
    policies: { api: slidingWindow({ limit, window: '10s' }) },
  })
  const stored = `${redis.prefix}:api:sliding-window:{${key}}`
  return {
    clock,
    limiter,
    stored,
    held: () => redis.client.zrange(stored, '0', '-1', 'WITHSCORES'),
  }
}

describe('Redis holds a sorted set', () => {
  test('of the time of each unit, in microseconds, its members growing by one within a microsecond', async () => {
    const { clock, limiter, held } = opened('one')
    await limiter.consume('one', 2)
    await limiter.consume('one')
    clock.now += 2 * second
    await limiter.consume('one')
    expect(await held()).toEqual(
      [
        ['1800000000000000', '1800000000000000'],
        ['1800000000000001', '1800000000000000'],
        ['1800000000000002', '1800000000000000'],
        ['1800000002000000', '1800000002000000'],
      ].flat(),
    )
  })

  test('from which what has left the window goes with the next unit, at the microsecond', async () => {
    const { clock, limiter, held } = opened('trim')
    await limiter.consume('trim')
    clock.now += 1
    await limiter.consume('trim')
    clock.now = start + 10 * second
    await limiter.consume('trim')
    expect(await held()).toEqual(
      [
        ['1800000000000001', '1800000000000001'],
        ['1800000010000000', '1800000010000000'],
      ].flat(),
    )
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, limiter, held } = opened('denied', 1)
    await limiter.consume('denied')
    clock.now += 1
    await limiter.consume('denied')
    clock.now += 20 * second
    await limiter.peek('denied')
    expect(await held()).toEqual(['1800000000000000', '1800000000000000'])
  })

  test('from which a refund takes the units of its own request', async () => {
    const { clock, limiter, held } = opened('refund')
    await limiter.consume('refund')
    const decision = await limiter.consume('refund', 3)
    clock.now += 1
    await limiter.consume('refund')
    if (decision.allowed) await limiter.refund(decision, 2)
    expect(await held()).toEqual(
      [
        ['1800000000000000', '1800000000000000'],
        ['1800000000000003', '1800000000000000'],
        ['1800000000000004', '1800000000000001'],
      ].flat(),
    )
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

  test.each([
    [128, 32],
    [1000, 160],
  ])('of %i units in fewer than %i bytes each', async (units, bytes) => {
    const key = `bytes ${units}`
    const { clock, limiter, stored } = opened(key, 1000)
    const calls = []
    for (let i = 0; i < units; i++) {
      clock.now += 1000
      calls.push(limiter.consume(key))
      if (i % 32 === 31) await Promise.all(calls)
    }
    await Promise.all(calls)
    expect(await redis.client.zcard(stored)).toBe(units)
    const used = Number(await redis.client.memory('USAGE', stored, 'SAMPLES', 0))
    expect(used / units).toBeLessThan(bytes)
  })
})

describe('a key is kept', () => {
  test('until its newest unit leaves the window, by the time of the server', async () => {
    const limiter = createLimiter({
      store: ioredisStore(redis.client),
      prefix: redis.prefix,
      policies: { api: slidingWindow({ limit: 8, window: '10s' }) },
    })
    await limiter.consume('ttl')
    const ttl = await redis.client.pttl(`${redis.prefix}:api:sliding-window:{ttl}`)
    expect(ttl).toBeLessThanOrEqual(11_000)
    expect(ttl).toBeGreaterThan(9000)
  })

  test('for a day at least where a clock is given, since Redis expires keys by its own', async () => {
    const { limiter, stored } = opened('day')
    await limiter.consume('day')
    const ttl = await redis.client.pttl(stored)
    expect(ttl).toBeLessThanOrEqual(86_400_000)
    expect(ttl).toBeGreaterThan(86_390_000)
  })
})
