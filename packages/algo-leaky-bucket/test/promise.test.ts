import { worstCase } from '@spillway/conformance'
import { describe, expect, test } from 'vitest'
import { leakyBucket } from '../src/index.js'

const second = 1_000_000

describe('the most an adversary gets admitted, limit 10 per second, is what is promised:', () => {
  const queueing = leakyBucket({ limit: 10, window: '1s', queue: 9 })
  const without = leakyBucket({ limit: 10, window: '1s', queue: 0 })

  test.each([
    ['19 in a window with a queue of 9', queueing, second, 19],
    ['10 in a hundredth of a window with a queue of 9', queueing, second / 100, 10],
    ['10 in a window without a queue', without, second, 10],
    ['1 in a hundredth of a window without a queue', without, second / 100, 1],
  ])('%s', (_, policy, interval, most) => {
    expect(worstCase(policy, interval).admitted).toBe(most)
    expect(policy.most(interval)).toBe(most)
  })

  test.each([0, 1, 2, 99_999, 100_000, 100_001, 999_999, 1_000_001, 2_500_000])(
    'whatever the interval: %i µs',
    (interval) => {
      for (const policy of [queueing, without]) {
        expect(worstCase(policy, interval).admitted).toBe(policy.most(interval))
      }
    },
  )
})
