import { ioredisStore } from '@spillway/adapter-ioredis'
import { createLimiter } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixedWindow } from '../src/index.js'
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

/** A limiter of 8 per 10 s on a manual clock, and what Redis holds of one key. */
function opened(key: string) {
  const clock = { now: start + 3 * second }
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => clock.now }),
    prefix: redis.prefix,
    policies: { api: fixedWindow({ limit: 8, window: '10s' }) },
  })
  const stored = `${redis.prefix}:api:fixed-window:{${key}}`
  return { clock, limiter, stored, held: () => redis.client.hgetall(stored) }
}

describe('Redis holds a hash', () => {
  test('of the start of the window, in microseconds, and the units counted in it', async () => {
    const { limiter, held } = opened('one')
    await limiter.consume('one', 3)
    await limiter.consume('one')
    expect(await held()).toEqual({ '1800000000000000': '4' })
  })

  test('of the current window and the one before it, and of no older one', async () => {
    const { clock, limiter, held } = opened('two')
    await limiter.consume('two', 3)
    clock.now += 10 * second
    await limiter.consume('two', 5)
    expect(await held()).toEqual({ '1800000000000000': '3', '1800000010000000': '5' })
    clock.now += 20 * second
    await limiter.consume('two')
    expect(await held()).toEqual({ '1800000010000000': '5', '1800000030000000': '1' })
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, limiter, held } = opened('denied')
    await limiter.consume('denied', 8)
    clock.now += 1
    await limiter.consume('denied')
    await limiter.peek('denied')
    expect(await held()).toEqual({ '1800000000000000': '8' })
  })

  test('from which a refund takes units of its own window', async () => {
    const { clock, limiter, held } = opened('refund')
    const old = await limiter.consume('refund', 3)
    clock.now += 10 * second
    await limiter.consume('refund', 5)
    if (old.allowed) await limiter.refund(old, 2)
    expect(await held()).toEqual({ '1800000000000000': '1', '1800000010000000': '5' })
  })

  test('that a reset removes', async () => {
    const { limiter, stored } = opened('reset')
    await limiter.consume('reset')
    await limiter.reset('reset')
    expect(await redis.client.exists(stored)).toBe(0)
  })

  test('of fewer than 200 bytes, however high the counts', async () => {
    const { clock, limiter, stored } = opened('bytes')
    await limiter.consume('bytes', 8)
    clock.now += 10 * second
    await limiter.consume('bytes', 8)
    expect(await redis.client.memory('USAGE', stored)).toBeLessThan(200)
  })
})

describe('a key is kept', () => {
  test('until the window after the current one ends, by the time of the server', async () => {
    const limiter = createLimiter({
      store: ioredisStore(redis.client),
      prefix: redis.prefix,
      policies: { api: fixedWindow({ limit: 8, window: '10s' }) },
    })
    const { resetAfterMs } = await limiter.consume('ttl')
    const ttl = await redis.client.pttl(`${redis.prefix}:api:fixed-window:{ttl}`)
    expect(ttl).toBeLessThanOrEqual(resetAfterMs + 10_000 + 2000)
    expect(ttl).toBeGreaterThan(resetAfterMs + 10_000 - 1000)
  })

  test('for a day at least where a clock is given, since Redis expires keys by its own', async () => {
    const { limiter, stored } = opened('day')
    await limiter.consume('day')
    const ttl = await redis.client.pttl(stored)
    expect(ttl).toBeLessThanOrEqual(86_400_000)
    expect(ttl).toBeGreaterThan(86_390_000)
  })
})
