import {
  type Algorithm,
  type Duration,
  durationMs,
  invalid,
  mostAtRate,
  type Policy,
  positiveInteger,
  type State,
} from '@spillway/core'
import lua from './sliding-counter.lua'

/** How a {@link slidingCounter} is made. */
export interface SlidingCounterOptions {
  /** The most units per window, as estimated: a positive integer. */
  readonly limit: number
  /** The length of the window, at most a year. Windows begin at multiples of it since 1970 (UTC). */
  readonly window: Duration
}

/**
 * Estimates a sliding window from two counters: what was counted in the current window of the
 * clock, and the part of the previous one that would still be inside a sliding window if its
 * requests had come evenly, rounded up.
 *
 * As they need not have come evenly, a window that slides can see up to `2 × limit − 1` units; a
 * burst across a boundary, unlike with `fixedWindow`, is refused.
 *
 * `resetAfterMs` is the time until everything counted has left the estimate.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or a product of limit and window that
 *   whole numbers cannot hold: above 2^52, with the window in milliseconds
 */
export function slidingCounter(options: SlidingCounterOptions): Policy {
  const limit = positiveInteger('limit', options?.limit)
  const windowMs = durationMs('window', options.window)
  if (limit * windowMs > 2 ** 52) {
    throw invalid('limit', `times the window of ${windowMs} ms must be at most 2^52`, limit)
  }
  return {
    algorithm,
    args: [limit, windowMs],
    limit,
    windowMs,
    capacity: limit,
    most: (interval) => mostAtRate(interval, limit, windowMs, limit),
    exact: false,
  }
}

/** The window is in milliseconds, in which the elapsed part of it is counted as well. */
type CounterArgs = readonly [limit: number, window: number]

/** What is counted around now. */
interface Counts {
  /** When the current window began, and when it ends, in microseconds. */
  readonly start: number
  readonly end: number
  readonly count: number
  readonly previous: number
  /** How long before `start` the previous window began, in milliseconds; 0 if nothing is counted in it. */
  readonly gap: number
}

// The state is [start, count, previous, gap]: when the newest window began, the counts of it and of
// the window before it, and how many milliseconds before it that one began: by another policy it
// may have been of another length, and a refund goes only into the window it came from.
const algorithm: Algorithm = {
  name: 'sliding-counter',
  contract: 1,
  lua,

  check(state, now, cost, [limit, window]: CounterArgs) {
    const counts = countsAt(state, now, window)
    const left = leftAt(counts, now, limit, window)
    const allowed = cost <= left
    const wait = allowed ? 0 : timeFor(counts, cost, limit, window) - now
    return { allowed, remaining: left, wait, reset: resetAt(counts, now, window) }
  },

  record(state, now, cost, [limit, window]: CounterArgs) {
    const { start, end, count, previous, gap } = countsAt(state, now, window)
    const total = Math.max(count, Math.min(count + cost, 2 * limit))
    return {
      receipt: start,
      ...keep(state, now, { start, end, count: total, previous, gap }, limit, window),
    }
  },

  giveBack(state, now, cost, [limit, window]: CounterArgs, receipt) {
    const { start, end, count, previous, gap } = countsAt(state, now, window)
    const back = {
      start,
      end,
      count: start === receipt ? Math.max(0, count - cost) : count,
      previous: start - gap * 1000 === receipt ? Math.max(0, previous - cost) : previous,
      gap,
    }
    return { receipt, ...keep(state, now, back, limit, window) }
  },
}

/**
 * The counts around now. A newer window already begun stays the current one: the clock has stepped
 * back, or the window was shorter before. From more than a window ahead it reads as empty.
 */
function countsAt(state: Readonly<State>, now: number, window: number): Counts {
  const length = window * 1000
  const aligned = now - (now % length)
  const [newest = 0, newestCount = 0, beforeNewest = 0, gap = 0] = state
  const start = newest > aligned && newest <= now + length ? newest : aligned
  const end = start - (start % length) + length
  if (newest === start) return { start, end, count: newestCount, previous: beforeNewest, gap }
  const previous = newest < start && newest >= start - length ? newestCount : 0
  return { start, end, count: 0, previous, gap: previous > 0 ? (start - newest) / 1000 : 0 }
}

/**
 * The units left by the estimate: of the previous window that part counts, rounded up, which a
 * window that slides would still see.
 */
function leftAt(
  { start, count, previous }: Counts,
  now: number,
  limit: number,
  window: number,
): number {
  const elapsed = Math.min(window, Math.max(0, Math.floor((now - start) / 1000)))
  const gone = Math.floor((previous * elapsed) / window)
  return Math.max(0, limit - count - (previous - gone))
}

/** When the estimate first leaves room for `cost`: in the current window, or in the next one. */
function timeFor(
  { start, end, count, previous }: Counts,
  cost: number,
  limit: number,
  window: number,
): number {
  const excess = count + cost - limit
  if (excess > 0) return end + Math.ceil((excess * window) / count) * 1000
  const elapsed = Math.ceil(((previous + excess) * window) / previous)
  return Math.min(end, start + elapsed * 1000)
}

/** Microseconds until everything counted has left the estimate. */
function resetAt({ end, count, previous }: Counts, now: number, window: number): number {
  if (count > 0) return end + window * 1000 - now
  return previous > 0 ? end - now : 0
}

/** Stores the counts. */
function keep(
  state: State,
  now: number,
  counts: Counts,
  limit: number,
  window: number,
): { readonly remaining: number; readonly reset: number; readonly ttl: number } {
  state[0] = counts.start
  state[1] = counts.count
  state[2] = counts.previous
  state[3] = counts.gap
  const reset = resetAt(counts, now, window)
  return { remaining: leftAt(counts, now, limit, window), reset, ttl: reset }
}
