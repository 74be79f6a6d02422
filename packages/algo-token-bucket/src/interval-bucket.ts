import { type Algorithm, invalid, type Policy, type State } from '@spillway/core'
import lua from './interval-bucket.lua'

/** A bucket to which tokens come only at the ends of intervals. */
export function intervalBucket(capacity: number, refill: number, intervalMs: number): Policy {
  const interval = intervalMs * 1000
  if (2 * Math.ceil(capacity / refill) * interval > 2 ** 52) {
    throw invalid('capacity', 'must be refilled within 70 years', capacity)
  }
  const perInterval = Math.min(refill, capacity)
  return {
    algorithm,
    args: [capacity, refill, interval],
    limit: refill,
    windowMs: intervalMs,
    capacity,
    // All at once, and a refill just after it, whose time a request since refunded has set. With
    // room for one that request must be back before another: nothing is left of its time.
    most: (length) => {
      if (length <= 0 || capacity === 1) return Math.ceil(length / interval)
      return capacity + perInterval * Math.ceil(Math.max(0, length - 1) / interval)
    },
    exact: false,
  }
}

type BucketArgs = readonly [capacity: number, refill: number, interval: number]

// The state is [time, spare]: when the bucket will be full, and by how many tokens the last refill
// will then be too large. So it stays sensible when the policy changes.
const algorithm: Algorithm = {
  name: 'interval-bucket',
  contract: 1,
  lua,

  check(state, now, cost, [capacity, refill, interval]: BucketArgs) {
    const refills = refillsAt(state, now, capacity, refill, interval)
    const missing = missingAt(state, refills, refill)
    const allowed = missing + cost <= capacity
    // How many of the refills to come are not needed for this cost.
    const later = Math.floor((capacity - cost + refills * refill - missing) / refill)
    return {
      allowed,
      remaining: Math.max(0, capacity - missing),
      wait: allowed ? 0 : state[0]! - later * interval - now,
      reset: refills > 0 ? state[0]! - now : 0,
    }
  },

  record(state, now, cost, [capacity, refill, interval]: BucketArgs) {
    const refills = refillsAt(state, now, capacity, refill, interval)
    const missing = missingAt(state, refills, refill)
    const total = Math.max(missing, Math.min(missing + cost, 2 * capacity))
    // What exceeds the debt that is kept was not counted: to a refund it was refilled before now.
    const uncounted = missing + cost - total
    const receipt = Math.max(0, now - Math.ceil(uncounted / refill) * interval)
    return { receipt, ...keep(state, now, refills, total, capacity, refill, interval) }
  },

  // What has been refilled since the request would, without it, have been there anyhow.
  giveBack(state, now, cost, [capacity, refill, interval]: BucketArgs, receipt) {
    const refills = refillsAt(state, now, capacity, refill, interval)
    const missing = missingAt(state, refills, refill)
    // How many refills there have been since the request.
    const since = Math.ceil(((state[0] ?? now) - receipt) / interval) - refills
    const total = Math.max(0, missing - Math.max(0, cost - Math.max(0, since) * refill))
    return { receipt, ...keep(state, now, refills, total, capacity, refill, interval) }
  },
}

/**
 * How many refills the bucket still needs to be full: at most those of an empty one with a debt as
 * large, and those of an empty one again where the clock has been set back since. From further
 * ahead, by a clock that was wrong or under an older policy, it reads as full.
 */
function refillsAt(
  state: Readonly<State>,
  now: number,
  capacity: number,
  refill: number,
  interval: number,
): number {
  const ahead = (state[0] ?? now) - now
  // In time and not in refills: rounded up twice, it would reach beyond what a step can explain.
  const most = (Math.ceil((2 * capacity) / refill) + capacity / refill) * interval
  return ahead > 0 && ahead <= most ? Math.ceil(ahead / interval) : 0
}

/** How many tokens are missing now. Under an older policy the last refill may have been larger. */
function missingAt(state: Readonly<State>, refills: number, refill: number): number {
  return refills > 0 ? refills * refill - Math.min(state[1]!, refill - 1) : 0
}

/** Stores how many tokens are missing; refills keep their times, or start an interval from now. */
function keep(
  state: State,
  now: number,
  refills: number,
  missing: number,
  capacity: number,
  refill: number,
  interval: number,
): { readonly remaining: number; readonly reset: number; readonly ttl: number } {
  const lastRefill = refills > 0 ? state[0]! - refills * interval : now
  const needed = Math.ceil(missing / refill)
  state[0] = missing > 0 ? lastRefill + needed * interval : now
  state[1] = needed * refill - missing
  const reset = state[0] - now
  return { remaining: Math.max(0, capacity - missing), reset, ttl: reset }
}
