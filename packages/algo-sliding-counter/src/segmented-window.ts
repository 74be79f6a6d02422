import {
  type Algorithm,
  type Duration,
  durationMs,
  type Policy,
  positiveInteger,
  type State,
} from '@spillway/core'
import lua from './segmented-window.lua'

/** How a {@link segmentedWindow} is made. */
export interface SegmentedWindowOptions {
  /** The most units in any interval as long as the window: a positive integer up to 2^50. */
  readonly limit: number
  /** The length of the window, at most a year. */
  readonly window: Duration
  /**
   * In how many segments the window is counted, from 1 to 100. More of them give quota back
   * sooner (after at most `1/segments` of a window too late) and take more memory.
   */
  readonly segments: number
}

/**
 * Allows at most `limit` units in any interval as long as the window, in constant memory: units
 * are counted by segment of the window, and a segment counts whole until all of it has left.
 *
 * The limit is hard; the price is that a unit returns up to `window / segments` later than from
 * an exact log.
 *
 * `resetAfterMs` is the time until the oldest segment leaves the window; the whole window for a
 * key with nothing in it.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export function segmentedWindow(options: SegmentedWindowOptions): Policy {
  const limit = positiveInteger('limit', options?.limit, 2 ** 50)
  const windowMs = durationMs('window', options.window)
  const segments = positiveInteger('segments', options.segments, 100)
  const window = windowMs * 1000
  return {
    algorithm,
    args: [limit, Math.ceil(window / segments), segments],
    limit,
    windowMs,
    capacity: limit,
    most: (interval) => limit * Math.ceil(interval / window),
    exact: false,
  }
}

type SegmentedArgs = readonly [limit: number, segment: number, segments: number]

// The state is [start, count, start, count, …], a pair for each segment with a count, oldest first.
const algorithm: Algorithm = {
  name: 'segmented-window',
  contract: 1,
  lua,

  check(state, now, cost, [limit, segment, segments]: SegmentedArgs) {
    const first = firstLive(state, now, segment, segments)
    const count = countFrom(state, first)
    const left = Math.max(0, limit - count)
    const allowed = cost <= left
    const leaver = allowed ? first : leaverAt(state, first, count + cost - limit)
    const wait = allowed ? 0 : leaveOf(state[leaver]!, segment, segments) - now
    const oldest = state[first]
    const reset =
      oldest === undefined ? segment * segments : leaveOf(oldest, segment, segments) - now
    return { allowed, remaining: left, wait, reset }
  },

  record(state, now, cost, [limit, segment, segments]: SegmentedArgs) {
    state.splice(0, firstLive(state, now, segment, segments))
    const count = countFrom(state, 0)
    const added = Math.max(0, Math.min(cost, 2 * limit - count))
    const newest = state.at(-2)
    const start = Math.max(now - (now % segment), newest ?? 0)
    if (start === newest) state[state.length - 1]! += added
    else if (added > 0) state.push(start, added)
    return { receipt: start, ...report(state, now, limit, segment, segments) }
  },

  giveBack(state, now, cost, [limit, segment, segments]: SegmentedArgs, receipt) {
    state.splice(0, firstLive(state, now, segment, segments))
    for (let i = 0; i < state.length; i += 2) {
      if (state[i] !== receipt) continue
      state[i + 1] = Math.max(0, state[i + 1]! - cost)
      if (state[i + 1] === 0) state.splice(i, 2)
    }
    return { receipt, ...report(state, now, limit, segment, segments) }
  },
}

/**
 * Where the segments still inside the window begin. If the clock has stepped back, it stands still
 * at the newest segment; a state from more than a window ahead reads as empty.
 */
function firstLive(state: Readonly<State>, now: number, segment: number, segments: number): number {
  const newest = state.at(-2) ?? 0
  if (newest > now + segment * segments) return state.length
  const at = Math.max(now, newest)
  let first = 0
  while (first < state.length && leaveOf(state[first]!, segment, segments) <= at) first += 2
  return first
}

/** When all of a segment has left the window; its start lies on no boundary if it was of another length. */
function leaveOf(start: number, segment: number, segments: number): number {
  return start - (start % segment) + (segments + 1) * segment
}

function countFrom(state: Readonly<State>, first: number): number {
  let count = 0
  for (let i = first; i < state.length; i += 2) count += state[i + 1]!
  return count
}

/** The segment with which, oldest first, `excess` units have left. */
function leaverAt(state: Readonly<State>, first: number, excess: number): number {
  let leaver = first
  for (let rest = excess - state[leaver + 1]!; rest > 0; rest -= state[leaver + 1]!) leaver += 2
  return leaver
}

/** What remains, and when the oldest and the newest segment leave. */
function report(
  state: Readonly<State>,
  now: number,
  limit: number,
  segment: number,
  segments: number,
): { readonly remaining: number; readonly reset: number; readonly ttl: number } {
  const remaining = Math.max(0, limit - countFrom(state, 0))
  const [oldest, newest] = [state[0], state.at(-2)]
  if (oldest === undefined || newest === undefined) {
    return { remaining, reset: segment * segments, ttl: 0 }
  }
  const reset = leaveOf(oldest, segment, segments) - now
  return { remaining, reset, ttl: leaveOf(newest, segment, segments) - now }
}
