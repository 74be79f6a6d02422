export type { Algorithm, Args, Recorded, State, Verdict } from './algorithm.js'
export { allowOnFailure, denyOnFailure } from './assume-on-failure.js'
export { type Clock, systemClock, timeOf } from './clock.js'
export { createLimiter, type LimiterOptions } from './create-limiter.js'
export type {
  Allowed,
  Decision,
  Denied,
  Look,
  Outcome,
  Quota,
  Reservation,
  Reserved,
} from './decision.js'
export type { DecisionEvent } from './decision-event.js'
export { type DenyCacheOptions, denyCache } from './deny-cache.js'
export { type Duration, durationMs } from './duration.js'
export { type ExactRate, exactRate } from './exact-rate.js'
export { invalid } from './invalid.js'
export { type Judgement, judge } from './judge.js'
export type {
  AbortSignalLike,
  AcquireOptions,
  CallOptions,
  Cost,
  Key,
  Limiter,
  Refund,
} from './limiter.js'
export { type MemoryStoreOptions, memoryStore } from './memory-store.js'
export { mostAtRate } from './most-at-rate.js'
export type { Policy } from './policy.js'
export { positiveInteger } from './positive-integer.js'
export type { Receipt } from './receipt.js'
export { shadow } from './shadow.js'
export { type ErrorCode, SpillwayError } from './spillway-error.js'
export type {
  Caller,
  Mode,
  Request,
  Ruling,
  Source,
  Store,
  Target,
  TargetRuling,
} from './store.js'
export { withFallback } from './with-fallback.js'
export { withTimeout } from './with-timeout.js'
