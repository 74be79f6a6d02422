import type { Mutant } from './mutant.js'
import { adapterMutants } from './mutants/adapters.js'
import { compactSlidingWindowMutants } from './mutants/compact-sliding-window.js'
import { fixedWindowMutants } from './mutants/fixed-window.js'
import { gcraMutants } from './mutants/gcra.js'
import { intervalBucketMutants } from './mutants/interval-bucket.js'
import { kernelMutants } from './mutants/kernel.js'
import { leakyBucketMutants } from './mutants/leaky-bucket.js'
import { limiterMutants } from './mutants/limiter.js'
import { luaMutants } from './mutants/lua.js'
import { memoryMutants } from './mutants/memory.js'
import { segmentedWindowMutants } from './mutants/segmented-window.js'
import { slidingCounterMutants } from './mutants/sliding-counter.js'
import { slidingWindowMutants } from './mutants/sliding-window.js'
import { storeRedisMutants } from './mutants/store-redis.js'

/** All mutants. */
export const mutants: readonly Mutant[] = [
  ...fixedWindowMutants,
  ...slidingWindowMutants,
  ...compactSlidingWindowMutants,
  ...gcraMutants,
  ...intervalBucketMutants,
  ...leakyBucketMutants,
  ...segmentedWindowMutants,
  ...slidingCounterMutants,
  ...memoryMutants,
  ...limiterMutants,
  ...luaMutants,
  ...kernelMutants,
  ...storeRedisMutants,
  ...adapterMutants,
]
