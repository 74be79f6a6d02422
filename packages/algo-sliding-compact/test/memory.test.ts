import { slidingWindow } from '@spillway/algo-sliding'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactSlidingWindow } from '../src/index.js'
import { openRedis } from './open-redis.js'
import { recordAll } from './record-all.js'

const start = 1_800_000_000_000_000
const entries = 10_000
const options = { limit: 1_000_000, window: '1h' } as const
const compact = compactSlidingWindow(options)
const sorted = slidingWindow(options)
let redis: Awaited<ReturnType<typeof openRedis>>

beforeAll(async () => {
  redis = await openRedis()
})
afterAll(() => redis?.close())

/** Bytes of a key with an entry for each request, over how many requests there are. */
async function bytesPerRequest(policy: typeof compact, costs: (i: number) => number) {
  const key = `${redis.prefix}:${policy.algorithm.name}`
  await redis.client.del(key)
  const requests = Array.from({ length: entries }, (_, i) => [start + 997 * i, costs(i)] as const)
  await recordAll(redis.client, policy, key, requests)
  return Number(await redis.client.memory('USAGE', key, 'SAMPLES', 0)) / entries
}

describe(`a log of ${entries} requests takes`, () => {
  test('at most 12 bytes for each at cost 1, an eighth of the sorted set or less', async () => {
    const bytes = await bytesPerRequest(compact, () => 1)
    expect(bytes).toBeLessThanOrEqual(12)
    expect(bytes).toBeLessThanOrEqual((await bytesPerRequest(sorted, () => 1)) / 8)
  })

  test('at most 20 bytes for each at any cost, where the sorted set has an entry for each unit', async () => {
    const costs = (i: number) => 1 + ((i * 7919) % 17)
    const bytes = await bytesPerRequest(compact, costs)
    expect(bytes).toBeLessThanOrEqual(20)
    expect(bytes).toBeLessThanOrEqual((await bytesPerRequest(sorted, costs)) / 40)
  })

  test('at most 20 bytes for each at high costs too, and however long it goes on', async () => {
    const policy = compactSlidingWindow({ limit: 2 ** 30, window: '1s' })
    const requests = Array.from(
      { length: 4 * entries },
      (_, i) => [start + 100 * i, 100_000 + (i % 7)] as const,
    )
    const key = `${redis.prefix}:long`
    await recordAll(redis.client, policy, key, requests)
    expect(await redis.client.llen(key)).toBe(2 * entries + 1)
    const bytes = Number(await redis.client.memory('USAGE', key, 'SAMPLES', 0))
    expect(bytes / entries).toBeLessThanOrEqual(20)
  })

  test.each([34, 40, 50])(
    'at most 20 bytes for each where a window adds up to 2^%i',
    async (power) => {
      const policy = compactSlidingWindow({ limit: 2 ** 50, window: '1h' })
      const most = Math.floor(2 ** power / entries)
      expect(await bytesPerRequest(policy, (i) => most - i)).toBeLessThanOrEqual(20)
    },
  )
})

test('a cost of 5,000 is one entry', async () => {
  const key = `${redis.prefix}:large`
  await recordAll(redis.client, compact, key, [[start, 5000]])
  expect(await redis.client.lrange(key, 0, -1)).toEqual([`${start}`, '0', '-5000'])
  expect(await redis.client.memory('USAGE', key)).toBeLessThan(200)
})
