export type { Algorithm, Args, Recorded, State, Verdict } from './algorithm.js'
export { type Clock, systemClock } from './clock.js'
export { createLimiter, type LimiterOptions } from './create-limiter.js'
export type { Allowed, Decision, Denied, Look, Outcome, Quota } from './decision.js'
export { type Duration, durationMs } from './duration.js'
export { type ExactRate, exactRate } from './exact-rate.js'
export { invalid } from './invalid.js'
export { type Judgement, judge } from './judge.js'
export type { Cost, Key, Limiter, Refund } from './limiter.js'
export { type MemoryStoreOptions, memoryStore } from './memory-store.js'
export type { Policy } from './policy.js'
export { positiveInteger } from './positive-integer.js'
export type { Receipt } from './receipt.js'
export { type ErrorCode, SpillwayError } from './spillway-error.js'
export type {
  Mode,
  Request,
  Ruling,
  Source,
  Store,
  Target,
  TargetRuling,
} from './store.js'
