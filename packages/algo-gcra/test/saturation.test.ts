import type { Policy, State } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gcra } from '../src/index.js'
import { openRedis } from './open-redis.js'

const start = 1_800_000_000_000_000
const million = 1_000_000

/** Asks for one unit after another, each as soon as the wait is over; tells when each is let through. */
function* saturate({ algorithm, args }: Policy, requests: number): Generator<number> {
  const state: State = []
  let now = start
  for (let i = 0; i < requests; i++) {
    now += algorithm.check(state, now, 1, args).wait
    if (!algorithm.check(state, now, 1, args).allowed) throw new Error('the wait was not enough')
    algorithm.record(state, now, 1, args)
    yield now
  }
}

/** When each is due: the burst at once, and then a unit every window / limit, rounded up once. */
function* due({ limit, windowMs, capacity }: Policy): Generator<number> {
  const window = windowMs * 1000
  for (let i = 1; i < capacity; i++) yield start
  let [whole, rest] = [start, 0]
  for (;;) {
    yield whole + (rest > 0 ? 1 : 0)
    whole += Math.floor(window / limit)
    rest += window % limit
    if (rest < limit) continue
    rest -= limit
    whole += 1
  }
}

describe('at saturation nothing drifts: each request is let through in the very microsecond in which it is due', () => {
  test.each([
    ['a million at 7,000 a second', gcra({ limit: 7000, window: '1s' }), million],
    ['a million at 30,000 a second', gcra({ limit: 30_000, window: '1s' }), million],
    ['a million at 7 an hour', gcra({ limit: 7, window: '1h' }), million],
    ['what 7 a day let through until the year 2250', gcra({ limit: 7, window: '1d' }), 570_000],
  ])('%s', (_, policy, requests) => {
    const expected = due(policy)
    let count = 0
    let late = 0
    for (const at of saturate(policy, requests)) {
      count++
      if (at !== expected.next().value) late++
    }
    expect({ count, late }).toEqual({ count: requests, late: 0 })
  })
})

test('with a burst of 1 there is nothing to even out: each gap alone is rounded up, as a shorter one would break the promise', () => {
  const policy = gcra({ limit: 30_000, window: '1s', burst: 1 }) // 33 1/3 µs
  const times = [...saturate(policy, 1000)]
  const gaps = new Set(times.slice(1).map((at, i) => at - times[i]!))
  expect([...gaps]).toEqual([34])
  expect([33, 34, 35].map((gap) => policy.most(gap + 1))).toEqual([1, 2, 2])
})

describe('nor does the Lua twin on a real Redis', () => {
  let redis: Awaited<ReturnType<typeof openRedis>>
  beforeAll(async () => {
    redis = await openRedis()
  })
  afterAll(() => redis?.close())

  test.each([
    ['50,000 at 7,000 a second', gcra({ limit: 7000, window: '1s' })],
    ['50,000 at 7 a day', gcra({ limit: 7, window: '1d' })],
  ])('%s', async (name, policy) => {
    const requests = 50_000
    const script = `
      local rule = (function() ${policy.algorithm.lua} end)()
      local now, args = tonumber(ARGV[1]), { tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]) }
      for i = 1, ARGV[2] do
        local _, _, wait = rule.check({ key = KEYS[1] }, now, 1, args)
        now = now + wait
        local _, _, _, _, value = rule.record({ key = KEYS[1] }, now, 1, args)
        redis.call('SET', KEYS[1], value)
      end
      return now`
    const last = await redis.client.eval(
      script,
      1,
      `${redis.prefix}:${name}`,
      start,
      requests,
      ...policy.args,
    )
    let expected = 0
    for (const at of due(policy)) {
      expected = at
      if (at >= Number(last)) break
    }
    expect(last).toBe(expected)
    expect(last).toBe([...saturate(policy, requests)].at(-1))
  })
})
