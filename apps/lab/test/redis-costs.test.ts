import { fixedWindow } from '@spillway/algo-fixed'
import { compactSlidingWindow } from '@spillway/algo-sliding-compact'
import { type RedisServer, startRedis } from '@spillway/testbed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesPerKey } from '../src/bytes-per-key.js'
import { openRedis } from '../src/open-redis.js'
import type { RedisLink } from '../src/redis-link.js'
import { serverTime } from '../src/server-time.js'

let server: RedisServer

beforeAll(async () => {
  server = await startRedis({ own: true })
})
afterAll(() => server.stop())

describe.each(['ioredis', 'node-redis'] as const)('through %s', (driver) => {
  let redis: RedisLink

  beforeAll(async () => {
    redis = await openRedis(driver, { url: server.url, onLost: () => {} })
  })
  afterAll(() => redis.close())

  test('a key is measured at its fullest: two counters, or a log of all that are allowed', async () => {
    const fixed = await bytesPerKey(redis, fixedWindow({ limit: 10, window: '10s' }))
    expect(fixed).toBeGreaterThan(100)
    expect(fixed).toBeLessThan(200)
    for (const limit of [500, 1000]) {
      const log = await bytesPerKey(redis, compactSlidingWindow({ limit, window: '10s' }))
      expect(log).toBeGreaterThan(9 * limit)
      expect(log).toBeLessThan(12 * limit + 200)
    }
  })

  test('a decision takes some time of the server, and not a millisecond', async () => {
    const time = serverTime(redis, fixedWindow({ limit: 10, window: '10s' }))
    expect(time.us).toBeNull()
    await time.round()
    expect(time.us).toBeGreaterThan(0)
    expect(time.us).toBeLessThan(1000)
  })

  test('nothing is left behind', async () => {
    expect(await server.command('DBSIZE')).toBe(0)
  })

  test('where Redis refuses to tell, it is not known', async () => {
    const mute: RedisLink = {
      ...redis,
      bytes: async () => null,
      info: () => Promise.reject(new Error('refused')),
    }
    const policy = fixedWindow({ limit: 10, window: '10s' })
    expect(await bytesPerKey(mute, policy)).toBeNull()
    const time = serverTime(mute, policy)
    await time.round()
    expect(time.us).toBeNull()
  })
})
