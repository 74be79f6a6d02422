import type { Mutant } from './mutant.js'
import { adapterMutants } from './mutants/adapters.js'
import { fixedWindowMutants } from './mutants/fixed-window.js'
import { kernelMutants } from './mutants/kernel.js'
import { limiterMutants } from './mutants/limiter.js'
import { luaMutants } from './mutants/lua.js'
import { memoryMutants } from './mutants/memory.js'
import { slidingWindowMutants } from './mutants/sliding-window.js'
import { storeRedisMutants } from './mutants/store-redis.js'

/** All mutants. */
export const mutants: readonly Mutant[] = [
  ...fixedWindowMutants,
  ...slidingWindowMutants,
  ...memoryMutants,
  ...limiterMutants,
  ...luaMutants,
  ...kernelMutants,
  ...storeRedisMutants,
  ...adapterMutants,
]
