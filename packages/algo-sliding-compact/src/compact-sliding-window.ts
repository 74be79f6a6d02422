import {
  type Algorithm,
  type Duration,
  durationMs,
  type Policy,
  positiveInteger,
  type State,
} from '@spillway/core'
import lua from './compact-sliding-window.lua'

/** How a {@link compactSlidingWindow} is made. */
export interface CompactSlidingWindowOptions {
  /** The most units in any interval as long as the window: a positive integer up to 2^50. */
  readonly limit: number
  /** The length of the window, at most a year. */
  readonly window: Duration
}

/**
 * Allows `limit` units in any interval as long as the window, wherever it starts: decision for
 * decision the same as `slidingWindow` of `@spillway/algo-sliding`, in about a tenth of the memory.
 *
 * The log has an entry for each request, not for each unit, so any cost up to the limit is fine.
 *
 * `resetAfterMs` is the time until the oldest request leaves the window; the whole window for an
 * empty log.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad limit or window
 */
export function compactSlidingWindow(options: CompactSlidingWindowOptions): Policy {
  const limit = positiveInteger('limit', options?.limit, 2 ** 50)
  const windowMs = durationMs('window', options.window)
  const window = windowMs * 1000
  return {
    algorithm,
    args: [limit, window],
    limit,
    windowMs,
    capacity: limit,
    most: (interval) => limit * Math.ceil(interval / window),
    exact: true,
  }
}

// Running totals begin anew once more units have left than are there: so no unit is rewritten more
// than a few times. From `mostTotal` on they would at last be too large for whole numbers; from
// `smallTotal` on Redis holds them in more bytes, for which only a short log is worth rewriting.
const mostTotal = 2 ** 52
const smallTotal = 2 ** 31
const shortLog = 10_000

type CompactArgs = readonly [limit: number, window: number]

// The state is a list of one of two kinds. While all costs are 1 it is plain: [time, time, …].
// The first other cost makes it weighted: [time, before, time, before, …, -total], where `before`
// is the running total of units ahead of the entry, and every time stands but once.
const algorithm: Algorithm = {
  name: 'compact-sliding-window',
  contract: 1,
  lua,

  check(state, now, cost, [limit, window]: CompactArgs) {
    const first = firstLive(state, now, window)
    const gone = beforeOf(state, first)
    const count = totalOf(state) - gone
    const left = Math.max(0, limit - count)
    const allowed = cost <= left
    const leaver = allowed ? first : entryOfUnit(state, gone + count + cost - limit)
    const wait = allowed ? 0 : timeOf(state, leaver) + window - now
    const oldest = first < sizeOf(state) ? timeOf(state, first) : now
    return { allowed, remaining: left, wait, reset: oldest + window - now }
  },

  record(state, now, cost, [limit, window]: CompactArgs) {
    trim(state, firstLive(state, now, window))
    const count = totalOf(state) - beforeOf(state, 0)
    const added = Math.max(0, Math.min(cost, 2 * limit - count))
    const size = sizeOf(state)
    const time = size > 0 ? Math.max(now, timeOf(state, size - 1)) : now
    append(state, time, added)
    const remaining = Math.max(0, limit - count - added)
    const reset = timeOf(state, 0) + window - now
    // Of a debt that is not kept whole, nothing can be given back.
    return { receipt: added === cost ? time : 0, remaining, reset, ttl: time + window - now }
  },

  giveBack(state, now, cost, [limit, window]: CompactArgs, receipt) {
    trim(state, firstLive(state, now, window))
    removeAt(state, receipt, cost)
    const size = sizeOf(state)
    const remaining = Math.max(0, limit - totalOf(state) + beforeOf(state, 0))
    const reset = (size > 0 ? timeOf(state, 0) : now) + window - now
    const ttl = size > 0 ? timeOf(state, size - 1) + window - now : 0
    return { receipt, remaining, reset, ttl }
  },
}

function isWeighted(state: Readonly<State>): boolean {
  return state.length > 0 && state.at(-1)! < 0
}

/** How many entries there are. */
function sizeOf(state: Readonly<State>): number {
  return isWeighted(state) ? (state.length - 1) / 2 : state.length
}

function timeOf(state: Readonly<State>, entry: number): number {
  return state[isWeighted(state) ? 2 * entry : entry]!
}

/** The running total of units ahead of an entry; behind the last entry, of all. */
function beforeOf(state: Readonly<State>, entry: number): number {
  if (!isWeighted(state)) return entry
  return entry < sizeOf(state) ? state[2 * entry + 1]! : totalOf(state)
}

/** The running total of all units. */
function totalOf(state: Readonly<State>): number {
  return isWeighted(state) ? -state.at(-1)! : state.length
}

/**
 * The first entry still inside the window. If the clock has stepped back, it stands still at the
 * newest entry; a log from more than a window ahead reads as empty.
 */
function firstLive(state: Readonly<State>, now: number, window: number): number {
  const size = sizeOf(state)
  const newest = size > 0 ? timeOf(state, size - 1) : 0
  if (newest > now + window) return size
  const edge = Math.max(now, newest) - window
  return firstEntry(size, (entry) => timeOf(state, entry) > edge)
}

/** The entry of unit number `unit` of the running total. */
function entryOfUnit(state: Readonly<State>, unit: number): number {
  return firstEntry(sizeOf(state), (entry) => beforeOf(state, entry + 1) >= unit)
}

/**
 * The first of `size` entries of which `holds` is true, as it is of all behind it: near the head
 * in few steps, anywhere by bisection.
 */
function firstEntry(size: number, holds: (entry: number) => boolean): number {
  let low = 0
  let high = 0
  for (let step = 1; high < size && !holds(high); step *= 2) {
    low = high + 1
    high = Math.min(size, high + step)
  }
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Drops the entries ahead of `first`. */
function trim(state: State, first: number): void {
  if (first === sizeOf(state)) state.length = 0
  else state.splice(0, isWeighted(state) ? 2 * first : first)
  const most = sizeOf(state) > shortLog ? mostTotal : smallTotal
  if (totalOf(state) >= most && 2 * beforeOf(state, 0) > totalOf(state)) beginAnew(state)
}

/** Counts running totals from the first entry on. */
function beginAnew(state: State): void {
  const gone = beforeOf(state, 0)
  for (let i = 1; i < state.length; i += 2) state[i]! -= gone
  state[state.length - 1]! += gone
}

/** Adds units at a time no earlier than the newest entry. */
function append(state: State, time: number, units: number): void {
  if (units === 0) return
  if (units === 1 && !isWeighted(state)) {
    state.push(time)
    return
  }
  if (!isWeighted(state)) weigh(state)
  const total = totalOf(state)
  state.pop()
  if (state.at(-2) !== time) state.push(time, total)
  state.push(-total - units)
}

/** Makes a plain list weighted. */
function weigh(state: State): void {
  const times = state.splice(0)
  times.forEach((time, before) => {
    if (time !== times[before - 1]) state.push(time, before)
  })
  if (times.length > 0) state.push(-times.length)
}

/** Takes away up to `units` of those counted at this time. */
function removeAt(state: State, time: number, units: number): void {
  const size = sizeOf(state)
  const from = firstEntry(size, (entry) => timeOf(state, entry) >= time)
  if (from === size || timeOf(state, from) !== time) return
  if (!isWeighted(state)) {
    const beyond = firstEntry(size, (entry) => timeOf(state, entry) > time)
    state.splice(from, Math.min(units, beyond - from))
    return
  }
  const held = beforeOf(state, from + 1) - beforeOf(state, from)
  const taken = Math.min(units, held)
  if (taken === held) state.splice(2 * from, 2)
  if (state.length === 1) state.length = 0
  for (let i = 2 * from + (taken === held ? 1 : 3); i < state.length; i += 2) state[i]! -= taken
  if (state.length > 0) state[state.length - 1]! += taken
}
