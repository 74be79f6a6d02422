import {
  type Algorithm,
  type Duration,
  durationMs,
  type Policy,
  positiveInteger,
  type State,
} from '@spillway/core'
import lua from './sliding-window.lua'

/** How a {@link slidingWindow} is made. */
export interface SlidingWindowOptions {
  /**
   * The most units in any interval as long as the window: a positive integer up to 1,000,000, and
   * up to one for each microsecond of the window.
   */
  readonly limit: number
  /** The length of the window, at most a year. */
  readonly window: Duration
}

/**
 * Allows `limit` units in any interval as long as the window, wherever it starts: exact, by a log
 * of every unit that was let through.
 *
 * The log takes memory in proportion to `limit`. A cost of c is c entries, so a request may cost
 * at most 1,000.
 *
 * `resetAfterMs` is the time until the oldest unit leaves the window; the whole window for an
 * empty log.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad limit or window
 */
export function slidingWindow(options: SlidingWindowOptions): Policy {
  const windowMs = durationMs('window', options?.window)
  const window = windowMs * 1000
  // Members grow by one a unit: faster than a unit a microsecond they would run ahead of the time,
  // and an old receipt could name units of a later log.
  const limit = positiveInteger('limit', options?.limit, Math.min(1_000_000, window))
  return {
    algorithm,
    args: [limit, window],
    limit,
    windowMs,
    capacity: limit,
    maxCost: {
      value: 1000,
      advice: 'each unit is an entry of its own; @spillway/algo-sliding-compact takes any cost',
    },
    most: (interval) => limit * Math.ceil(interval / window),
    exact: true,
  }
}

type SlidingArgs = readonly [limit: number, window: number]

// Members of one time must sort as numbers, so all have sixteen digits.
const firstId = 1e15

// The state is [time, id, time, id, …], a pair for each unit, in the order of both.
const algorithm: Algorithm = {
  name: 'sliding-window',
  contract: 1,
  lua,

  check(state, now, cost, [limit, window]: SlidingArgs) {
    const first = firstLive(state, now, window)
    const count = (state.length - first) / 2
    const left = Math.max(0, limit - count)
    const allowed = cost <= left
    const leaver = first + 2 * (count - limit + cost - 1)
    const wait = allowed ? 0 : state[leaver]! + window - now
    return { allowed, remaining: left, wait, reset: (state[first] ?? now) + window - now }
  },

  record(state, now, cost, [limit, window]: SlidingArgs) {
    state.splice(0, firstLive(state, now, window))
    const count = state.length / 2
    const time = Math.max(now, state.at(-2) ?? 0)
    const id = Math.max(time, firstId, (state.at(-1) ?? 0) + 1)
    const added = Math.max(0, Math.min(cost, 2 * limit - count))
    for (let i = cost - added; i < cost; i++) state.push(time, id + i)
    const remaining = Math.max(0, limit - count - added)
    const reset = state[0]! + window - now
    return { receipt: id, remaining, reset, ttl: time + window - now }
  },

  giveBack(state, now, cost, [limit, window]: SlidingArgs, receipt) {
    state.splice(0, firstLive(state, now, window))
    const from = firstAbove(state, 1, receipt - 1)
    state.splice(from, firstAbove(state, 1, receipt + cost - 1) - from)
    const remaining = Math.max(0, limit - state.length / 2)
    const reset = (state[0] ?? now) + window - now
    const ttl = state.length > 0 ? state.at(-2)! + window - now : 0
    return { receipt: receipt + cost, remaining, reset, ttl }
  },
}

/**
 * Where the units still inside the window begin. If the clock has stepped back, it stands still at
 * the newest unit; a log from more than a window ahead reads as empty.
 */
function firstLive(state: Readonly<State>, now: number, window: number): number {
  const newest = state.at(-2) ?? 0
  if (newest > now + window) return state.length
  return firstAbove(state, 0, Math.max(now, newest) - window)
}

/** The first pair whose time (`part` 0) or id (`part` 1) is above `value`. */
function firstAbove(state: Readonly<State>, part: 0 | 1, value: number): number {
  let low = 0
  let high = state.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if (state[2 * middle + part]! > value) high = middle
    else low = middle + 1
  }
  return 2 * low
}
