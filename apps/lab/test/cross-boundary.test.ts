import { memoryStore, type Store } from '@spillway/core'
import { type RedisServer, startRedis } from '@spillway/testbed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crossBoundary } from '../src/cross-boundary.js'
import { lessons } from '../src/lessons.js'
import { manualClock } from '../src/manual-clock.js'
import { NoResult } from '../src/no-result.js'
import { openRedis } from '../src/open-redis.js'
import type { RedisLink } from '../src/redis-link.js'

const givenClock = () => manualClock(Date.UTC(2026, 10, 30, 12, 0, 3) * 1000)

const notes: string[] = []
const progress = {
  waiting: () => {},
  doing: () => {},
  note: (line: string) => void notes.push(line),
  clear: () => {},
}

let server: RedisServer

beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

const places = [
  ['in memory', undefined],
  ['on Redis through ioredis', 'ioredis'],
  ['on Redis through node-redis', 'node-redis'],
] as const

describe.each(places)('%s', (_, driver) => {
  const time = givenClock()
  let redis: RedisLink | undefined
  let store: Store

  beforeAll(async () => {
    if (driver !== undefined) {
      const options = { url: server.url, onLost: () => {} }
      redis = await openRedis(driver, options, time.clock)
    }
    store = redis?.store ?? memoryStore({ clock: time.clock })
  })
  afterAll(() => redis?.close())

  const cross = (algorithm: 'fixed' | 'sliding', requests = 8) =>
    crossBoundary({
      store,
      clock: time.storeClock,
      redis,
      policy: lessons[algorithm].policy(8, 10_000),
      requests,
      progress,
    })

  test('a fixed window lets two whole limits through in 400 ms', async () => {
    const crossing = await cross('fixed')
    expect(crossing).toMatchObject({
      phases: [
        { allowed: 8, denied: 0, atMs: -200 },
        { allowed: 8, denied: 0, atMs: 200 },
      ],
      admitted: 16,
      spanMs: 400,
      mostInAnyWindow: 16,
      held: false,
    })
    const { boundaryUs } = crossing
    expect(boundaryUs % 10_000_000).toBe(0)
    expect(crossing.readBack.counters).toEqual(
      driver === undefined
        ? null
        : [
            { windowStartUs: boundaryUs - 10_000_000, count: 8 },
            { windowStartUs: boundaryUs, count: 8 },
          ],
    )
  })

  test('a sliding window refuses the second batch', async () => {
    expect(await cross('sliding')).toMatchObject({
      phases: [
        { allowed: 8, denied: 0 },
        { allowed: 0, denied: 8 },
      ],
      admitted: 8,
      spanMs: 0,
      mostInAnyWindow: 8,
      held: true,
      nextSlotMs: 9600,
      readBack: { counters: null, logSize: driver === undefined ? null : 8 },
    })
  })

  test('what the first batch left is what the second one gets', async () => {
    const crossing = await cross('sliding', 5)
    expect(crossing.phases).toMatchObject([{ allowed: 5 }, { allowed: 3, denied: 2 }])
    expect(crossing).toMatchObject({ admitted: 8, spanMs: 400, held: true })
  })

  test('too few requests do not break a fixed window', async () => {
    expect(await cross('fixed', 4)).toMatchObject({ admitted: 8, held: true, nextSlotMs: 0 })
  })

  test('it leaves nothing behind', async () => {
    const { readBack } = await cross('fixed')
    if (driver !== undefined) expect(await server.command('EXISTS', readBack.key)).toBe(0)
  })
})

test.each([
  [4000, 10_000, 200],
  [10_000, 10_000, 500],
  [10_000, 1000, 250],
  [1, 100, 25],
])(
  '%i requests, with windows of %i ms, are sent %i ms from the boundary',
  async (requests, windowMs, leadMs) => {
    const { clock, storeClock } = givenClock()
    const { phases, mostInAnyWindow } = await crossBoundary({
      store: memoryStore({ clock }),
      clock: storeClock,
      redis: undefined,
      policy: lessons.fixed.policy(requests, windowMs),
      requests,
      progress,
    })
    expect(phases).toMatchObject([{ atMs: -leadMs }, { atMs: leadMs }])
    expect(mostInAnyWindow).toBe(2 * requests)
  },
)

describe('on a machine too busy to be in time', () => {
  /** A store whose first `late` decisions come long after they were asked for. */
  function lateCrossing(late: number) {
    const { clock, storeClock, advance } = givenClock()
    const memory = memoryStore({ clock })
    let left = late
    const store: Store = {
      ...memory,
      decide: async (request) => {
        if (request.mode === 'consume' && left > 0) {
          left -= 1
          advance(250_000)
        }
        return memory.decide(request)
      },
    }
    const policy = lessons.fixed.policy(8, 10_000)
    notes.length = 0
    return crossBoundary({
      store,
      clock: storeClock,
      redis: undefined,
      policy,
      requests: 8,
      progress,
    })
  }

  test('a first batch beyond the boundary is no evidence: it says so and tries the next one', async () => {
    expect(await lateCrossing(2)).toMatchObject({ admitted: 16, spanMs: 400 })
    expect(notes).toEqual([
      'This machine was too busy to keep the time. Again at the next boundary (2 of 5).',
    ])
  })

  test('after five tries it gives up', async () => {
    await expect(lateCrossing(Number.POSITIVE_INFINITY)).rejects.toThrow(NoResult)
    expect(notes).toHaveLength(4)
  })
})
