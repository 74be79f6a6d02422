import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { highestSums, rollingSum } from '../src/rolling-sum.js'

const admissions = fc.array(
  fc.record({ at: fc.integer({ min: 0, max: 50 }), cost: fc.integer({ min: 1, max: 9 }) }),
)

describe('the rolling sum', () => {
  test('is at every moment what the window up to then admitted', () => {
    fc.assert(
      fc.property(admissions, fc.integer({ min: 1, max: 30 }), (all, window) => {
        const steps = rollingSum(all, window)
        for (let now = -1; now < 90; now++) {
          const expected = all
            .filter(({ at }) => at <= now && at > now - window)
            .reduce((sum, { cost }) => sum + cost, 0)
          expect(steps.findLast(({ at }) => at <= now)?.sum ?? 0).toBe(expected)
        }
      }),
    )
  })

  test('ends with nothing, a window after the last admission', () => {
    expect(rollingSum([{ at: 5, cost: 3 }], 10)).toEqual([
      { at: 5, sum: 3 },
      { at: 15, sum: 0 },
    ])
  })
})

describe('the highest sums', () => {
  test('are those of each part, wherever in it they are', () => {
    const steps = [
      { at: 0, sum: 2 },
      { at: 11, sum: 9 },
      { at: 12, sum: 1 },
    ]
    expect(highestSums(steps, 0, 40, 4)).toEqual([2, 9, 1, 1])
  })

  test('are never missed: the highest of all parts is the highest of all', () => {
    fc.assert(
      fc.property(admissions, fc.integer({ min: 1, max: 20 }), (all, parts) => {
        const steps = rollingSum(all, 10)
        const highest = Math.max(0, ...steps.map(({ sum }) => sum))
        expect(Math.max(...highestSums(steps, 0, 70, parts))).toBe(highest)
      }),
    )
  })
})
