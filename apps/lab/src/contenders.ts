import { fixedWindow } from '@spillway/algo-fixed'
import { gcra } from '@spillway/algo-gcra'
import { leakyBucket } from '@spillway/algo-leaky-bucket'
import { slidingWindow } from '@spillway/algo-sliding'
import { compactSlidingWindow } from '@spillway/algo-sliding-compact'
import { segmentedWindow, slidingCounter } from '@spillway/algo-sliding-counter'
import { tokenBucket } from '@spillway/algo-token-bucket'
import type { Policy } from '@spillway/core'

/** An algorithm to be compared, with its options for any limit and window. */
export interface Contender {
  /** What people call it: the function that makes it, and what sets it apart. */
  readonly name: string
  options(limit: number, windowMs: number): object
  policy(limit: number, windowMs: number): Policy
}

/** Every algorithm that `lab compare` compares: a new one adds a line here. */
export const contenders: readonly Contender[] = [
  of('fixedWindow', fixedWindow, (limit, window) => ({ limit, window })),
  of('slidingWindow', slidingWindow, (limit, window) => ({ limit, window })),
  of('compactSlidingWindow', compactSlidingWindow, (limit, window) => ({ limit, window })),
  of('slidingCounter', slidingCounter, (limit, window) => ({ limit, window })),
  of('segmentedWindow', segmentedWindow, (limit, window) => ({ limit, window, segments: 10 })),
  of('gcra', gcra, (limit, window) => ({ limit, window, burst: limit })),
  of('gcra, burst 1', gcra, (limit, window) => ({ limit, window, burst: 1 })),
  of('tokenBucket', tokenBucket, (n, interval) => ({ capacity: n, refill: n, interval })),
  of('tokenBucket, batches', tokenBucket, (n, interval) => ({
    capacity: n,
    refill: n,
    interval,
    refillBy: 'interval' as const,
  })),
  of('leakyBucket', leakyBucket, (limit, window) => ({ limit, window, queue: limit })),
]

function of<Options extends object>(
  name: string,
  make: (options: Options) => Policy,
  options: (limit: number, windowMs: number) => Options,
): Contender {
  return {
    name,
    options,
    policy: (limit, windowMs) => make(options(limit, windowMs)),
  }
}
