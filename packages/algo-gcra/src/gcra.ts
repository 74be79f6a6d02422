import {
  type Algorithm,
  type Duration,
  durationMs,
  exactRate,
  mostAtRate,
  type Policy,
  positiveInteger,
  type State,
} from '@spillway/core'
import lua from './gcra.lua'

/** How a {@link gcra} is made. */
export interface GcraOptions {
  /** The sustained rate, in units per window: a positive integer. */
  readonly limit: number
  /** The length of the window, at most a year. */
  readonly window: Duration
  /** The most units at once, and the most one request may cost. Default: `limit`. */
  readonly burst?: number | undefined
}

/**
 * Allows a sustained rate of `limit` units per window and up to `burst` at once, by the generic
 * cell rate algorithm (ITU-T I.371): a token bucket that remembers a single time. Exact at every
 * rate: 7,000 per second do not drift, although a unit's share of a second is no whole number of
 * microseconds.
 *
 * Any window admits at most `burst + limit − 1` units; with `burst: 1` requests are evenly spaced.
 *
 * `resetAfterMs` is the time until the whole burst is back.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or a rate that whole numbers cannot
 *   hold (a large limit that shares no factors with the window)
 */
export function gcra(options: GcraOptions): Policy {
  const limit = positiveInteger('limit', options?.limit)
  const burst = positiveInteger('burst', options.burst ?? limit)
  const windowMs = durationMs('window', options.window)
  const { parts, unit } = exactRate('limit, window and burst', limit, windowMs, burst)
  return {
    algorithm,
    args: [parts, unit, burst],
    limit,
    windowMs,
    capacity: burst,
    most: (interval) => mostAtRate(interval, limit, windowMs, burst),
    exact: true,
  }
}

/** Time in equal parts: a microsecond has `parts` of them, and a unit of cost takes `unit`. */
type GcraArgs = readonly [parts: number, unit: number, burst: number]

// The state is [time, part]: the theoretical arrival time, at which everything will have drained,
// as microseconds and a count of parts, which stays sensible when the parts change their size.
const algorithm: Algorithm = {
  name: 'gcra',
  contract: 1,
  lua,

  check(state, now, cost, [parts, unit, burst]: GcraArgs) {
    const used = usedAt(state, now, parts, unit, burst)
    const left = burst * unit - used
    const lacking = cost * unit - left
    return {
      allowed: lacking <= 0,
      remaining: Math.max(0, Math.floor(left / unit)),
      wait: Math.max(0, Math.ceil(lacking / parts)),
      reset: Math.ceil(used / parts),
    }
  },

  record(state, now, cost, [parts, unit, burst]: GcraArgs) {
    const used = usedAt(state, now, parts, unit, burst)
    const total = Math.max(used, Math.min(used + cost * unit, 2 * burst * unit))
    // What exceeds the debt that is kept was not counted: to a refund it has drained before now.
    const uncounted = cost * unit - (total - used)
    const receipt = Math.max(0, now - Math.ceil(uncounted / parts))
    const { remaining, reset, ttl } = keep(state, now, total, parts, unit, burst)
    return { receipt, remaining, reset, ttl } // by name: a spread would cost as much as the rule
  },

  // What has drained since the request would, without it, have been free anyhow.
  giveBack(state, now, cost, [parts, unit, burst]: GcraArgs, receipt) {
    const used = usedAt(state, now, parts, unit, burst)
    const drained = Math.max(0, now - receipt) * parts
    const total = used - Math.min(used, Math.max(0, cost * unit - drained))
    const { remaining, reset, ttl } = keep(state, now, total, parts, unit, burst)
    return { receipt, remaining, reset, ttl } // by name: a spread would cost as much as the rule
  },
}

/**
 * The parts still to drain: at most the burst, a debt as large, and as much again where the clock
 * has been set back since. From further ahead, by a clock that was wrong or under an older policy,
 * it reads as none. Under an older policy a part may have been smaller.
 */
function usedAt(
  state: Readonly<State>,
  now: number,
  parts: number,
  unit: number,
  burst: number,
): number {
  const [time = 0, part = 0] = state
  const used = (time - now) * parts + Math.min(part, parts - 1)
  return used > 0 && used <= 3 * burst * unit ? used : 0
}

/** Stores the parts still to drain. */
function keep(
  state: State,
  now: number,
  used: number,
  parts: number,
  unit: number,
  burst: number,
): { readonly remaining: number; readonly reset: number; readonly ttl: number } {
  state[0] = now + Math.floor(used / parts)
  state[1] = used % parts
  const reset = Math.ceil(used / parts)
  const remaining = Math.max(0, Math.floor((burst * unit - used) / unit))
  return { remaining, reset, ttl: reset }
}
