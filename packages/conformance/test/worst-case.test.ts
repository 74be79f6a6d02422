import type { Algorithm, Policy } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { worstCase } from '../src/index.js'

const window = 1_000_000

/** A counter that starts anew every window, at `offset` after a boundary of the clock. */
function counter(offset: number, most: number): Policy {
  const startAt = (now: number) => now - ((now - offset) % window)
  const algorithm: Algorithm = {
    name: 'counter',
    contract: 1,
    lua: '',
    check([start = 0, count = 0], now, cost, [limit = 0]) {
      const remaining = limit - (start === startAt(now) ? count : 0)
      const reset = startAt(now) + window - now
      const allowed = cost <= remaining
      return { allowed, remaining, wait: allowed ? 0 : reset, reset }
    },
    record(state, now, cost, [limit = 0]) {
      const count = (state[0] === startAt(now) ? state[1]! : 0) + cost
      state.splice(0, 2, startAt(now), count)
      const reset = startAt(now) + window - now
      return { receipt: startAt(now), remaining: limit - count, reset, ttl: reset }
    },
    giveBack(state, now, cost, [limit = 0], receipt) {
      if (state[0] === receipt) state[1]! -= cost
      const reset = startAt(now) + window - now
      return { receipt, remaining: limit, reset, ttl: reset }
    },
  }
  return {
    algorithm,
    args: [10],
    limit: 10,
    windowMs: window / 1000,
    capacity: 10,
    most: () => most,
    exact: false,
  }
}

describe('the search for the worst case', () => {
  test('finds two budgets across a boundary of the clock', () => {
    const { admitted, admissions } = worstCase(counter(0, 20), window / 100)
    expect(admitted).toBe(20)
    expect(admissions.reduce((sum, { cost }) => sum + cost, 0)).toBe(20)
    for (const { at } of admissions) {
      expect(at).toBeGreaterThanOrEqual(0)
      expect(at).toBeLessThan(window / 100)
    }
  })

  test('finds them wherever the boundary is, and three in a little more than a window', () => {
    for (const offset of [0, 1, 123_456, 999_999]) {
      expect(worstCase(counter(offset, 20), window).admitted).toBe(20)
    }
    expect(worstCase(counter(0, 30), window + 2).admitted).toBe(30)
  })

  test('counts no cost that was given back, and finds a refund that gives back too much', () => {
    const policy = counter(0, 10)
    expect(worstCase(policy, 1).admitted).toBe(10)
    const giveBack: Algorithm['giveBack'] = (state) => {
      state.length = 0
      return { receipt: 0, remaining: 10, reset: 0, ttl: 0 }
    }
    const generous = { ...policy, algorithm: { ...policy.algorithm, giveBack } }
    expect(worstCase(generous, 1).admitted).toBeGreaterThan(10)
  })

  test('finds nothing in an interval of no length', () => {
    expect(worstCase(counter(0, 20), 0)).toEqual({ admitted: 0, admissions: [] })
  })

  test('finds the same for the same seed, and takes less than a second', () => {
    const policy = counter(123, 20)
    const started = performance.now()
    const first = worstCase(policy, window, { seed: 7, tries: 500 })
    expect(performance.now() - started).toBeLessThan(1000)
    expect(worstCase(policy, window, { seed: 7, tries: 500 })).toEqual(first)
  })
})
