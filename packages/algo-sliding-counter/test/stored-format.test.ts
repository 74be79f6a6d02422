import { ioredisStore } from '@spillway/adapter-ioredis'
import { createLimiter, type Policy } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { segmentedWindow, slidingCounter } from '../src/index.js'
import { openRedis } from './open-redis.js'

// The stored formats are public and stay as they are: a change of what stands here needs a new
// name for the algorithm.

const start = 1_800_000_000_000_000
const second = 1_000_000
const counter = slidingCounter({ limit: 10, window: '1s' })
const segmented = segmentedWindow({ limit: 10, window: '1s', segments: 4 })
let redis: Awaited<ReturnType<typeof openRedis>>

beforeAll(async () => {
  redis = await openRedis()
})
afterAll(() => redis?.close())

/** A limiter on a manual clock, and what Redis holds of one key. */
function opened(key: string, policy: Policy, prefix = redis.prefix) {
  const clock = { now: start + 300_000 }
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => clock.now }),
    prefix,
    policies: { api: policy },
  })
  const stored = `${prefix}:api:${policy.algorithm.name}:{${key}}`
  return {
    clock,
    limiter,
    stored,
    string: () => redis.client.get(stored),
    hash: () => redis.client.hgetall(stored),
  }
}

test('the names of the algorithms are part of the format', () => {
  expect(counter.algorithm.name).toBe('sliding-counter')
  expect(segmented.algorithm.name).toBe('segmented-window')
})

describe('of a slidingCounter Redis holds a string', () => {
  test('of the start of the newest window, its count, and that of the window before, and how long before that began', async () => {
    const { clock, limiter, string } = opened('one', counter)
    await limiter.consume('one', 2)
    expect(await string()).toBe('1800000000000000:2:0:0')
    await limiter.consume('one')
    expect(await string()).toBe('1800000000000000:3:0:0')
    clock.now += second
    await limiter.consume('one')
    expect(await string()).toBe('1800000001000000:1:3:1000')
    clock.now += 2 * second
    await limiter.consume('one')
    expect(await string()).toBe('1800000003000000:1:0:0')
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, limiter, string } = opened('denied', counter)
    await limiter.consume('denied', 10)
    clock.now += second - 300_000
    await limiter.consume('denied')
    await limiter.peek('denied')
    expect(await string()).toBe('1800000000000000:10:0:0')
  })

  test('from which a refund takes units of its own window', async () => {
    const { clock, limiter, string } = opened('refund', counter)
    const old = await limiter.consume('refund', 3)
    clock.now += second
    await limiter.consume('refund', 5)
    if (old.allowed) await limiter.refund(old, 2)
    expect(await string()).toBe('1800000001000000:5:1:1000')
  })

  test('from which a refund takes nothing of another window, whatever length the window has come to have', async () => {
    const { clock, limiter, string } = opened('longer', counter)
    const longer = { policies: { api: slidingCounter({ limit: 10, window: '2s' }) } }
    const first = await limiter.consume('longer', 3, longer)
    clock.now += second
    const next = await limiter.consume('longer', 5)
    clock.now += second
    await limiter.consume('longer', 1, longer)
    expect(await string()).toBe('1800000002000000:1:5:1000')
    if (first.allowed) await limiter.refund(first)
    expect(await string()).toBe('1800000002000000:1:5:1000')
    if (next.allowed) await limiter.refund(next, 4)
    expect(await string()).toBe('1800000002000000:1:1:1000')
  })

  test.each([
    [120, 1],
    [120, 100_000],
    [140, 1_000_000_000],
  ])('of at most %i bytes with its key, limit %i', async (bytes, limit) => {
    const policy = slidingCounter({ limit, window: '1s' })
    const { clock, limiter, stored } = opened('user:42', policy, 'spillway')
    await limiter.reset('user:42')
    await limiter.consume('user:42', limit)
    clock.now += 1_699_999
    await limiter.consume('user:42', Math.max(1, limit - 2))
    expect(await redis.client.exists(stored)).toBe(1)
    expect(await redis.client.memory('USAGE', stored)).toBeLessThanOrEqual(bytes)
  })
})

describe('of a segmentedWindow Redis holds a hash', () => {
  test('of the start of each segment, and the units counted in it', async () => {
    const { clock, limiter, hash } = opened('one', segmented)
    await limiter.consume('one', 2)
    await limiter.consume('one')
    clock.now += 400_000
    await limiter.consume('one', 3)
    expect(await hash()).toEqual({ '1800000000250000': '3', '1800000000500000': '3' })
  })

  test('of those still in the window, and one more: others go with the next unit', async () => {
    const { clock, limiter, hash } = opened('trim', segmented)
    for (let i = 0; i < 5; i++) {
      await limiter.consume('trim')
      clock.now += 250_000
    }
    expect(Object.keys(await hash())).toHaveLength(5)
    await limiter.consume('trim')
    expect(await hash()).toEqual({
      '1800000000500000': '1',
      '1800000000750000': '1',
      '1800000001000000': '1',
      '1800000001250000': '1',
      '1800000001500000': '1',
    })
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, limiter, hash } = opened('denied', segmented)
    await limiter.consume('denied', 10)
    clock.now += second
    await limiter.consume('denied')
    clock.now += 20 * second
    await limiter.peek('denied')
    expect(await hash()).toEqual({ '1800000000250000': '10' })
  })

  test('from which a refund takes units of its own segment, and the field with the last', async () => {
    const { clock, limiter, hash, stored } = opened('refund', segmented)
    const old = await limiter.consume('refund', 3)
    clock.now += 300_000
    const fresh = await limiter.consume('refund', 5)
    if (old.allowed) await limiter.refund(old, 2)
    expect(await hash()).toEqual({ '1800000000250000': '1', '1800000000500000': '5' })
    if (old.allowed) await limiter.refund(old)
    expect(await hash()).toEqual({ '1800000000500000': '5' })
    if (fresh.allowed) await limiter.refund(fresh)
    expect(await redis.client.exists(stored)).toBe(0)
  })

  test('of at most 400 bytes with its key for 10 segments, however many requests there were', async () => {
    const policy = segmentedWindow({ limit: 1_000_000, window: '1s', segments: 10 })
    const { clock, limiter, stored } = opened('user:42', policy, 'spillway')
    await limiter.reset('user:42')
    for (let i = 0; i < 500; i++) {
      clock.now += 10_007
      await limiter.consume('user:42', 1000)
    }
    expect(await redis.client.hlen(stored)).toBe(11)
    expect(await redis.client.memory('USAGE', stored)).toBeLessThanOrEqual(400)
  })
})

test.each([counter, segmented])('a reset removes the key: %#', async (policy) => {
  const { limiter, stored } = opened('reset', policy)
  await limiter.consume('reset')
  await limiter.reset('reset')
  expect(await redis.client.exists(stored)).toBe(0)
})

describe('a key is kept', () => {
  test.each([
    ['two windows after the newest began', slidingCounter({ limit: 10, window: '10s' }), 10, 21],
    [
      'its newest segment leaves',
      segmentedWindow({ limit: 10, window: '10s', segments: 10 }),
      10,
      12,
    ],
  ])('until %s, by the time of the server', async (_, policy, least, most) => {
    const limiter = createLimiter({
      store: ioredisStore(redis.client),
      prefix: redis.prefix,
      policies: { api: policy },
    })
    await limiter.consume('ttl')
    const ttl = await redis.client.pttl(`${redis.prefix}:api:${policy.algorithm.name}:{ttl}`)
    expect(ttl).toBeLessThanOrEqual(most * 1000)
    expect(ttl).toBeGreaterThan(least * 1000)
  })

  test('for a day at least where a clock is given, since Redis expires keys by its own', async () => {
    for (const policy of [counter, segmented]) {
      const { limiter, stored } = opened('day', policy)
      await limiter.consume('day')
      const ttl = await redis.client.pttl(stored)
      expect(ttl).toBeLessThanOrEqual(86_400_000)
      expect(ttl).toBeGreaterThan(86_390_000)
    }
  })
})
