import { worstCase } from '@spillway/conformance'
import { describe, expect, test } from 'vitest'
import { tokenBucket } from '../src/index.js'

const second = 1_000_000

describe('the most an adversary gets through, 10 tokens refilled in a second, is what is promised:', () => {
  const continuous = tokenBucket({ capacity: 10, refill: 10, interval: '1s' })
  const byInterval = tokenBucket({ capacity: 10, refill: 10, interval: '1s', refillBy: 'interval' })

  test.each([
    ['19 in an interval', continuous, second, 19],
    ['10 in a hundredth of an interval', continuous, second / 100, 10],
    ['20 in an interval, refilled as a whole', byInterval, second, 20],
    ['20 in a hundredth of an interval, refilled as a whole', byInterval, second / 100, 20],
  ])('%s', (_, policy, length, most) => {
    expect(worstCase(policy, length).admitted).toBe(most)
    expect(policy.most(length)).toBe(most)
  })

  test.each([0, 1, 2, 99_999, 100_001, 999_999, 1_000_000, 1_000_001, 2_000_001, 2_000_002])(
    'whatever its length: %i µs',
    (length) => {
      for (const refillBy of ['continuous', 'interval'] as const) {
        for (const [capacity, refill] of [
          [10, 10],
          [10, 4],
          [3, 7],
          [2, 1],
          [1, 1],
          [1, 2],
        ] as const) {
          const policy = tokenBucket({ capacity, refill, interval: '1s', refillBy })
          expect(worstCase(policy, length).admitted).toBe(policy.most(length))
        }
      }
    },
  )
})
