import { obeysAllLaws } from '@spillway/matrix'
import { describe } from 'vitest'
import { tokenBucket } from '../src/index.js'

describe('refilled continuously', () => {
  obeysAllLaws([
    tokenBucket({ capacity: 10, refill: 4, interval: '1s' }),
    tokenBucket({ capacity: 3, refill: 7, interval: '1s' }),
  ])
})

describe('refilled by the interval', () => {
  obeysAllLaws([
    tokenBucket({ capacity: 10, refill: 4, interval: '1s', refillBy: 'interval' }),
    tokenBucket({ capacity: 6, refill: 4, interval: '1s', refillBy: 'interval' }),
    tokenBucket({ capacity: 3, refill: 7, interval: 11, refillBy: 'interval' }),
    tokenBucket({ capacity: 1, refill: 1, interval: 1, refillBy: 'interval' }),
    tokenBucket({ capacity: 5, refill: 4, interval: 7, refillBy: 'interval' }),
    tokenBucket({ capacity: 90, refill: 10, interval: '1m', refillBy: 'interval' }),
  ])
})
