import {
  type Algorithm,
  type Duration,
  durationMs,
  type Policy,
  positiveInteger,
  type State,
} from '@spillway/core'
import lua from './fixed-window.lua'

/** How a {@link fixedWindow} is made. */
export interface FixedWindowOptions {
  /** The most units per window: a positive integer up to 2^50. */
  readonly limit: number
  /** The length of a window, at most a year. Windows begin at multiples of it since 1970 (UTC). */
  readonly window: Duration
}

/**
 * Allows `limit` units in each window of the clock: one counter a key, the cheapest rule there is.
 *
 * A caller who spends one budget at the end of a window and the next at the beginning of the
 * following one gets up to `2 × limit` through in a moment. Where that matters, take
 * `slidingWindow` of `@spillway/algo-sliding`.
 *
 * `resetAfterMs` is the time to the end of the current window, when the whole limit returns.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad limit or window
 */
export function fixedWindow(options: FixedWindowOptions): Policy {
  const limit = positiveInteger('limit', options?.limit, 2 ** 50)
  const windowMs = durationMs('window', options.window)
  const window = windowMs * 1000
  return {
    algorithm,
    args: [limit, window],
    limit,
    windowMs,
    capacity: limit,
    most: (interval) => (interval < 1 ? 0 : limit * (1 + Math.ceil((interval - 1) / window))),
    exact: false,
  }
}

type FixedArgs = readonly [limit: number, window: number]

// The state is [start, count, previous start, previous count], both pairs absent at first.
const algorithm: Algorithm = {
  name: 'fixed-window',
  contract: 1,
  lua,

  check(state, now, cost, [limit, window]: FixedArgs) {
    const start = startAt(state, now, window)
    const left = Math.max(0, limit - countAt(state, start))
    const reset = endOf(start, window) - now
    const allowed = cost <= left
    return { allowed, remaining: left, wait: allowed ? 0 : reset, reset }
  },

  record(state, now, cost, [limit, window]: FixedArgs) {
    const start = startAt(state, now, window)
    const count = countAt(state, start)
    const total = Math.max(count, Math.min(count + cost, 2 * limit))
    if (state[0] !== start) {
      const previous = state[0] !== undefined && state[0] < start ? state.slice(0, 2) : []
      state.splice(0, state.length, start, total, ...previous)
    } else state[1] = total
    const reset = endOf(start, window) - now
    return { receipt: start, remaining: Math.max(0, limit - total), reset, ttl: reset + window }
  },

  giveBack(state, now, cost, [limit, window]: FixedArgs, receipt) {
    if (state[0] === receipt) state[1] = Math.max(0, state[1]! - cost)
    else if (state[2] === receipt) state[3] = Math.max(0, state[3]! - cost)
    const start = startAt(state, now, window)
    const remaining = Math.max(0, limit - countAt(state, start))
    const reset = endOf(start, window) - now
    return { receipt, remaining, reset, ttl: state.length > 0 ? reset + window : 0 }
  },
}

/**
 * When the current window began. A newer one already begun stays the current one: the clock has
 * stepped back, or the window was shorter before. From more than a window ahead it reads as empty.
 */
function startAt(state: Readonly<State>, now: number, window: number): number {
  const start = now - (now % window)
  const newest = state[0]
  return newest !== undefined && newest > start && newest <= now + window ? newest : start
}

function countAt(state: Readonly<State>, start: number): number {
  return state[0] === start ? state[1]! : 0
}

/** The first boundary after `start`, which lies on none if the window was of another length. */
function endOf(start: number, window: number): number {
  return start - (start % window) + window
}
