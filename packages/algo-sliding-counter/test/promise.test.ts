import { worstCase } from '@spillway/conformance'
import { describe, expect, test } from 'vitest'
import { segmentedWindow, slidingCounter } from '../src/index.js'

const second = 1_000_000

describe('the most an adversary gets through, limit 10 per second, is what is promised:', () => {
  const counter = slidingCounter({ limit: 10, window: '1s' })
  const segmented = segmentedWindow({ limit: 10, window: '1s', segments: 10 })

  test.each([
    ['19 in a window by the estimate of two counters', counter, second, 19],
    ['10 in a hundredth of a window by the estimate', counter, second / 100, 10],
    ['10 in a window of segments', segmented, second, 10],
    ['10 in a hundredth of a window of segments', segmented, second / 100, 10],
  ])('%s', (_, policy, interval, most) => {
    expect(worstCase(policy, interval).admitted).toBe(most)
    expect(policy.most(interval)).toBe(most)
  })

  test.each([0, 1, 2, 9999, 99_999, 100_001, 500_000, 999_999, 1_000_001, 2_500_000])(
    'and no more than it, whatever the interval: %i µs',
    (interval) => {
      for (const policy of [
        counter,
        ...[1, 2, 3, 7, 10].map((segments) =>
          segmentedWindow({ limit: 10, window: '1s', segments }),
        ),
      ]) {
        expect(worstCase(policy, interval).admitted).toBeLessThanOrEqual(policy.most(interval))
      }
    },
  )
})
