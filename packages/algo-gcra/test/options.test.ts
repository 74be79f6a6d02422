import { createLimiter, type Duration, memoryStore, type State } from '@spillway/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type GcraOptions, gcra } from '../src/index.js'

describe('gcra refuses, naming the option and the value:', () => {
  test.each<[unknown, string]>([
    [0, 'got 0'],
    [-1, 'got -1'],
    [0.5, 'got 0.5'],
    [Number.NaN, 'got NaN'],
    ['8', 'got "8"'],
    [undefined, 'got undefined'],
    [2 ** 53, 'got 9007199254740992'],
  ])('limit %o', (limit, rest) => {
    expect(() => gcra({ limit: limit as number, window: '10s' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: `limit must be a positive integer, ${rest}`,
      }),
    )
  })

  test.each<[unknown, string]>([
    [0, 'got 0'],
    [1.5, 'got 1.5'],
    ['1', 'got "1"'],
  ])('burst %o', (burst, rest) => {
    expect(() => gcra({ limit: 8, window: '10s', burst: burst as number })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: `burst must be a positive integer, ${rest}`,
      }),
    )
  })

  test.each<[unknown, string]>([
    [0, 'got 0'],
    ['10', 'got "10"'],
    [undefined, 'got undefined'],
    ['366d', `at most a year, '365d', got "366d"`],
  ])('window %o', (window, rest) => {
    expect(() => gcra({ limit: 8, window: window as Duration })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`^window must be .*${rest}$`)),
      }),
    )
  })

  test.each<[GcraOptions, string]>([
    [{ limit: 999_999_937, window: '365d' }, '999999937 per 31536000000 ms, at most 999999937'],
    [{ limit: 97, window: '365d' }, '97 per 31536000000 ms, at most 97'],
    [{ limit: 1, window: '365d', burst: 72 }, '1 per 31536000000 ms, at most 72'],
    [{ limit: 1, window: '1d', burst: 100_000 }, '1 per 86400000 ms, at most 100000'],
  ])('what whole numbers cannot hold, at construction: %o', (options, got) => {
    expect(() => gcra(options)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: `limit, window and burst must make a rate that whole numbers can hold: take rounder or smaller ones, got "${got}"`,
      }),
    )
  })
})

describe('gcra takes', () => {
  test('every limit up to 96 a year and 34,000 a day, whatever its digits', () => {
    for (let limit = 1; limit <= 96; limit++) gcra({ limit, window: '365d' })
    for (let limit = 1; limit <= 34_000; limit++) gcra({ limit, window: '1d' })
  })

  test('a thousand million a year, and 3,000 million a second', () => {
    expect(gcra({ limit: 1_000_000_000, window: '365d' }).limit).toBe(1_000_000_000)
    expect(gcra({ limit: 2_999_999_999, window: '1s' }).limit).toBe(2_999_999_999)
  })

  test.each([
    { limit: 2_999_999_999, window: '1s' },
    { limit: 1_000_000_000, window: '365d' },
    { limit: 34_747, window: '1d' },
    { limit: 1, window: '365d', burst: 71 },
  ] as const)('%o, and counts to the last unit', async (options) => {
    const clock = { now: 1_800_000_000_000_000 }
    const { consume } = createLimiter({
      store: memoryStore({ clock: () => clock.now }),
      policies: { p: gcra(options) },
    })
    const { capacity, windowMs, limit } = gcra(options)
    expect(await consume('k', capacity - 1)).toMatchObject({ allowed: true, remaining: 1 })
    expect(await consume('k', 2)).toMatchObject({ allowed: false, remaining: 1 })
    expect(await consume('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
    clock.now += Math.ceil((windowMs * 1000) / limit)
    expect(await consume('k')).toMatchObject({ allowed: true })
  })
})

test('its promise is the burst in an instant, and a unit more for each share of the window', () => {
  const { most } = gcra({ limit: 10, window: '1s', burst: 4 })
  expect([0, 1, 100_000, 100_001, 200_001, 1_000_000, 1_000_001].map(most)).toEqual([
    0, 4, 4, 5, 6, 13, 14,
  ])
})

test('with the largest burst that is taken, in full debt, by a clock set back by all of it, a wait is exact', () => {
  const rates = fc.record({
    limit: fc.integer({ min: 1, max: 2 ** 40 }),
    window: fc.integer({ min: 1, max: 31_536_000_000 }),
  })
  fc.assert(
    fc.property(rates, ({ limit, window }) => {
      const burst = largest((some) => gcra({ limit, window, burst: some }))
      if (burst === 0) return
      const { algorithm, args } = gcra({ limit, window, burst })
      const state: State = []
      const now = 1_800_000_000_000_000
      for (let i = 0; i < 3; i++) algorithm.record(state, now, burst, args)
      const refill = (BigInt(burst) * BigInt(window) * 1000n) / BigInt(limit)
      const { wait } = algorithm.check(state, now - Number(refill), burst, args)
      const debt = 2n * BigInt(burst) * BigInt(window) * 1000n // in parts of 1 / limit
      expect(BigInt(wait)).toBe(
        (debt + refill * BigInt(limit) + BigInt(limit) - 1n) / BigInt(limit),
      )
    }),
    { numRuns: 1000 },
  )
})

/** The largest whole number that is taken; 0 if none is. */
function largest(take: (some: number) => void): number {
  let [taken, refused] = [0, Number.MAX_SAFE_INTEGER]
  while (refused - taken > 1) {
    const middle = taken + Math.floor((refused - taken) / 2)
    try {
      take(middle)
      taken = middle
    } catch {
      refused = middle
    }
  }
  return taken
}
