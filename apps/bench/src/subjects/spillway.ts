import { fixedWindow } from '@spillway/algo-fixed'
import { gcra } from '@spillway/algo-gcra'
import { leakyBucket } from '@spillway/algo-leaky-bucket'
import { slidingWindow } from '@spillway/algo-sliding'
import { compactSlidingWindow } from '@spillway/algo-sliding-compact'
import { segmentedWindow, slidingCounter } from '@spillway/algo-sliding-counter'
import { tokenBucket } from '@spillway/algo-token-bucket'
import { createLimiter, type Decision, type Policy } from '@spillway/core'
import { connect } from '../connection.js'
import type { Driver, Limit, Subject } from '../subject.js'

export type AlgorithmName =
  | 'gcra'
  | 'fixedWindow'
  | 'tokenBucket'
  | 'leakyBucket'
  | 'slidingCounter'
  | 'segmentedWindow'
  | 'slidingWindow'
  | 'compactSlidingWindow'

/** Every algorithm, as its README makes it. */
export const algorithms: Readonly<Record<AlgorithmName, (limit: Limit) => Policy>> = {
  gcra: ({ limit, windowMs }) => gcra({ limit, window: windowMs }),
  fixedWindow: ({ limit, windowMs }) => fixedWindow({ limit, window: windowMs }),
  tokenBucket: ({ limit, windowMs }) =>
    tokenBucket({ capacity: limit, refill: limit, interval: windowMs }),
  leakyBucket: ({ limit, windowMs }) => leakyBucket({ limit, window: windowMs, queue: limit - 1 }),
  slidingCounter: ({ limit, windowMs }) => slidingCounter({ limit, window: windowMs }),
  segmentedWindow: ({ limit, windowMs }) =>
    segmentedWindow({ limit, window: windowMs, segments: 10 }),
  slidingWindow: ({ limit, windowMs }) => slidingWindow({ limit, window: windowMs }),
  compactSlidingWindow: ({ limit, windowMs }) => compactSlidingWindow({ limit, window: windowMs }),
}

/** Spillway, set up by its own documentation. */
export function spillway(driver: Driver, algorithm: AlgorithmName): Subject {
  return {
    name: algorithm,
    group: 'spillway',
    driver,
    async open(url, limit) {
      const connection = await connect(driver, url)
      const limiter = createLimiter({
        store: connection.store(),
        policies: { bench: algorithms[algorithm](limit) },
      })
      return {
        decide: (key) => limiter.consume(key),
        allows: (answer) => (answer as Decision<'bench'>).allowed,
        close: connection.close,
      }
    },
  }
}
