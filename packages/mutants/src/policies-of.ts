import type { Policy } from '@spillway/core'
import type * as Kit from './kit.js'

/** The rules that mutants are tried with. */
export type RuleName = keyof typeof rules

/** Policies of these rules, made by the kit. */
export function policiesOf(kit: typeof Kit, name: RuleName): readonly Policy[] {
  return rules[name](kit)
}

// Few and small, for a law tries each. Of those with a rate, a unit of the first takes no whole
// number of microseconds.
const rules = {
  fixed: ({ fixedWindow }: typeof Kit) => [
    fixedWindow({ limit: 8, window: '10s' }),
    fixedWindow({ limit: 1, window: 7 }),
    fixedWindow({ limit: 150, window: 1001 }),
  ],
  sliding: ({ slidingWindow }: typeof Kit) => [
    slidingWindow({ limit: 8, window: '10s' }),
    slidingWindow({ limit: 1, window: 7 }),
    slidingWindow({ limit: 40, window: 1001 }),
  ],
  both: ({ fixedWindow, slidingWindow }: typeof Kit) => [
    slidingWindow({ limit: 8, window: '10s' }),
    fixedWindow({ limit: 8, window: '10s' }),
    slidingWindow({ limit: 1, window: 7 }),
    fixedWindow({ limit: 1, window: 7 }),
  ],
  gcra: ({ gcra }: typeof Kit) => [
    gcra({ limit: 7, window: '1s', burst: 3 }),
    gcra({ limit: 10, window: '1s', burst: 6 }),
  ],
  'leaky bucket': ({ leakyBucket }: typeof Kit) => [
    leakyBucket({ limit: 7, window: '1s', queue: 2 }),
    leakyBucket({ limit: 10, window: '1s', queue: 5 }),
  ],
  'interval bucket': ({ tokenBucket }: typeof Kit) => [
    tokenBucket({ capacity: 5, refill: 4, interval: 7, refillBy: 'interval' }),
    tokenBucket({ capacity: 10, refill: 3, interval: '1s', refillBy: 'interval' }),
  ],
  'sliding counter': ({ slidingCounter }: typeof Kit) => [
    slidingCounter({ limit: 8, window: '10s' }),
    slidingCounter({ limit: 40, window: 1001 }),
  ],
  'segmented window': ({ segmentedWindow }: typeof Kit) => [
    segmentedWindow({ limit: 8, window: '10s', segments: 4 }),
    segmentedWindow({ limit: 40, window: 1001, segments: 1 }),
  ],
  'compact log': ({ compactSlidingWindow }: typeof Kit) => [
    compactSlidingWindow({ limit: 8, window: '10s' }),
    compactSlidingWindow({ limit: 2 ** 50, window: 1001 }),
  ],
}
