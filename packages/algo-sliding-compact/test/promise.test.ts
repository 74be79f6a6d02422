import { worstCase } from '@spillway/conformance'
import { describe, expect, test } from 'vitest'
import { compactSlidingWindow } from '../src/index.js'

const second = 1_000_000

describe('the most an adversary gets through, limit 10 per second, is what is promised:', () => {
  const policy = compactSlidingWindow({ limit: 10, window: '1s' })

  test.each([
    ['10 in a window', second, 10],
    ['10 in a hundredth of a window', second / 100, 10],
    ['20 as soon as there are two windows', second + 1, 20],
  ])('%s', (_, interval, most) => {
    expect(worstCase(policy, interval).admitted).toBe(most)
    expect(policy.most(interval)).toBe(most)
  })

  test.each([0, 1, 2, 99_999, 500_000, 999_999, 2 * second, 2 * second + 1])(
    'whatever the interval: %i µs',
    (interval) => {
      expect(worstCase(policy, interval).admitted).toBe(policy.most(interval))
    },
  )
})
