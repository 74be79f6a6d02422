import { type Args, createLimiter, memoryStore, type State } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { fixedWindow } from '../src/index.js'

const boundary = 1_800_000_000_000_000

describe('the boundary lesson, limit 8 per 10 s', () => {
  test('8 requests 200 ms before the boundary and 8 more 200 ms after it: all 16 within 400 ms', async () => {
    let now = boundary - 200_000
    const limiter = createLimiter({
      store: memoryStore({ clock: () => now }),
      policies: { api: fixedWindow({ limit: 8, window: '10s' }) },
    })
    const batch = () => Promise.all(Array.from({ length: 8 }, () => limiter.consume('caller')))
    const before = await batch()
    expect(before.filter(({ allowed }) => allowed)).toHaveLength(8)
    expect(before.at(-1)).toMatchObject({ remaining: 0, resetAfterMs: 200 })
    expect(await limiter.consume('caller')).toMatchObject({ allowed: false, retryAfterMs: 200 })
    now = boundary + 200_000
    const after = await batch()
    expect(after.filter(({ allowed }) => allowed)).toHaveLength(8)
    expect(await limiter.consume('caller')).toMatchObject({ allowed: false, retryAfterMs: 9800 })
  })
})

describe('what it admits at most, by brute force over all histories of a few times and costs (limit 10)', () => {
  const window = 1000
  const found = mostAdmitted([0, 500, 999, 1000, 1005, 1500, 1999, 2000])

  test('20 in some window, and no more', () => {
    expect(found(window)).toBe(20)
  })

  test('20 in some hundredth of a window', () => {
    expect(found(window / 100)).toBe(20)
  })

  test('and never more than it promises', () => {
    const { most } = fixedWindow({ limit: 10, window: 1 })
    for (const interval of [1, 2, 10, 500, 501, 999, 1000, 1001, 1500, 2001]) {
      expect(found(interval)).toBeLessThanOrEqual(most(interval))
    }
    expect(found(1001)).toBe(20)
    expect(found(1002)).toBe(30)
  })
})

/** Tries every history in which a cost of 0, 1, 4 or 10 is asked for at each time; tells the most admitted in any interval. */
function mostAdmitted(times: readonly number[]): (interval: number) => number {
  const { algorithm, args } = fixedWindow({ limit: 10, window: 1 })
  const histories: (readonly number[])[] = []
  const admitted: number[] = []
  ask([], 0)
  return (interval) => {
    let most = 0
    for (const history of histories) {
      for (let from = 0; from < times.length; from++) {
        let sum = 0
        for (let i = from; i < times.length && times[i]! - times[from]! < interval; i++) {
          sum += history[i]!
        }
        if (sum > most) most = sum
      }
    }
    return most
  }

  function ask(state: State, i: number): void {
    if (i === times.length) {
      histories.push([...admitted])
      return
    }
    for (const cost of [0, 1, 4, 10]) {
      const next = [...state]
      admitted[i] = cost > 0 && count(next, boundary + times[i]!, cost, args) ? cost : 0
      ask(next, i + 1)
    }
  }

  function count(state: State, now: number, cost: number, args: Args): boolean {
    const { allowed } = algorithm.check(state, now, cost, args)
    if (allowed) algorithm.record(state, now, cost, args)
    return allowed
  }
}
