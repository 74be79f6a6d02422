import { worstCase } from '@spillway/conformance'
import { describe, expect, test } from 'vitest'
import { gcra } from '../src/index.js'

const second = 1_000_000

describe('the most an adversary gets through, limit 10 per second, is what is promised:', () => {
  const bursty = gcra({ limit: 10, window: '1s' })
  const even = gcra({ limit: 10, window: '1s', burst: 1 })

  test.each([
    ['19 in a window', bursty, second, 19],
    ['10 in a hundredth of a window', bursty, second / 100, 10],
    ['10 in a window with a burst of 1', even, second, 10],
    ['1 in a hundredth of a window with a burst of 1', even, second / 100, 1],
  ])('%s', (_, policy, interval, most) => {
    expect(worstCase(policy, interval).admitted).toBe(most)
    expect(policy.most(interval)).toBe(most)
  })

  test.each([0, 1, 2, 99_999, 100_000, 100_001, 500_000, 999_999, 1_000_001, 2_500_000])(
    'whatever the interval: %i µs',
    (interval) => {
      expect(worstCase(bursty, interval).admitted).toBe(bursty.most(interval))
      expect(worstCase(even, interval).admitted).toBe(even.most(interval))
    },
  )
})
