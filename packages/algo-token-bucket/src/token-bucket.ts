import { gcra } from '@spillway/algo-gcra'
import {
  type Duration,
  durationMs,
  exactRate,
  invalid,
  type Policy,
  positiveInteger,
} from '@spillway/core'
import { intervalBucket } from './interval-bucket.js'

/** How a {@link tokenBucket} is made. */
export interface TokenBucketOptions {
  /** How many tokens the bucket holds, and so the most at once: a positive integer. */
  readonly capacity: number
  /** How many tokens come per interval: a positive integer. */
  readonly refill: number
  /** The interval, at most a year. */
  readonly interval: Duration
  /**
   * When tokens come: one by one, evenly over the interval (`'continuous'`, the default), or all
   * of an interval at its end (`'interval'`), counted from the request that found the bucket full.
   */
  readonly refillBy?: 'continuous' | 'interval' | undefined
}

/**
 * Allows what there are tokens for. The bucket holds `capacity` of them and starts full; a unit
 * of cost takes one, and `refill` come back per interval.
 *
 * Refilled continuously it is decided by the very algorithm of `gcra`, which is the same rule seen
 * from the other side: it remembers when the bucket will be full.
 *
 * `resetAfterMs` is the time until the bucket is full.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or a rate that whole numbers cannot
 *   hold (a large refill that shares no factors with the interval)
 */
export function tokenBucket(options: TokenBucketOptions): Policy {
  const capacity = positiveInteger('capacity', options?.capacity, 2 ** 50)
  const refill = positiveInteger('refill', options.refill, 2 ** 50)
  const intervalMs = durationMs('interval', options.interval)
  const { refillBy = 'continuous' } = options
  if (refillBy === 'interval') return intervalBucket(capacity, refill, intervalMs)
  if (refillBy !== 'continuous') {
    throw invalid('refillBy', "must be 'continuous' or 'interval'", refillBy)
  }
  exactRate('capacity, refill and interval', refill, intervalMs, capacity)
  return gcra({ limit: refill, window: intervalMs, burst: capacity })
}
