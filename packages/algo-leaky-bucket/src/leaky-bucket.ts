import {
  type Algorithm,
  type Duration,
  durationMs,
  exactRate,
  invalid,
  mostAtRate,
  type Policy,
  positiveInteger,
  type State,
} from '@spillway/core'
import lua from './leaky-bucket.lua'

/** How a {@link leakyBucket} is made. */
export interface LeakyBucketOptions {
  /** The rate at which requests leave, in units per window: a positive integer. */
  readonly limit: number
  /** The length of the window, at most a year. */
  readonly window: Duration
  /** How many units may wait for their turn: an integer of at least 0. */
  readonly queue: number
}

/**
 * Lets requests leave evenly spaced, `window / limit` apart: an allowed decision says in `delayMs`
 * how long to wait before going ahead. Up to `queue` units wait for their turn; when the queue is
 * full, a request is denied.
 *
 * A cost of c takes c turns in a row and goes ahead at the first of them, so it fits if at most
 * `queue` turns have to wait: no cost above `queue + 1` ever does.
 *
 * A refund gives back the last turn in the queue. A turn with others behind it passes unused:
 * theirs have been told already, and giving it away would let two leave at once.
 *
 * `resetAfterMs` is the time until the queue is empty and the last turn is over.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or a rate that whole numbers cannot
 *   hold (a large limit that shares no factors with the window)
 */
export function leakyBucket(options: LeakyBucketOptions): Policy {
  const limit = positiveInteger('limit', options?.limit)
  const { queue } = options
  if (!Number.isSafeInteger(queue) || queue < 0) {
    throw invalid('queue', 'must be an integer of at least 0', queue)
  }
  const windowMs = durationMs('window', options.window)
  const capacity = queue + 1
  const { parts, unit } = exactRate('limit, window and queue', limit, windowMs, capacity)
  return {
    algorithm,
    args: [parts, unit, capacity],
    limit,
    windowMs,
    capacity,
    most: (interval) => mostAtRate(interval, limit, windowMs, capacity),
    exact: true,
  }
}

/** Time in equal parts: a microsecond has `parts` of them, and a turn takes `unit`. */
type LeakyArgs = readonly [parts: number, unit: number, capacity: number]

// The state is [time, part]: when the last turn is over, as microseconds and a count of parts,
// which stays sensible when the parts change their size.
const algorithm: Algorithm = {
  name: 'leaky-bucket',
  contract: 1,
  lua,

  check(state, now, cost, [parts, unit, capacity]: LeakyArgs) {
    const taken = takenAt(state, now, parts, unit, capacity)
    const left = capacity * unit - taken
    const lacking = cost * unit - left
    const allowed = lacking <= 0
    return {
      allowed,
      remaining: Math.max(0, Math.floor(left / unit)),
      wait: Math.ceil((allowed ? taken : lacking) / parts),
      reset: Math.ceil(taken / parts),
    }
  },

  record(state, now, cost, [parts, unit, capacity]: LeakyArgs) {
    const taken = takenAt(state, now, parts, unit, capacity)
    const wanted = taken + cost * unit
    const total = Math.max(taken, Math.min(wanted, 2 * capacity * unit))
    const kept = keep(state, now, total, parts, unit, capacity)
    // Of a debt that is not kept whole, nothing can be given back.
    return { receipt: total === wanted ? state[0]! : 0, ...kept }
  },

  giveBack(state, now, cost, [parts, unit, capacity]: LeakyArgs, receipt) {
    const taken = takenAt(state, now, parts, unit, capacity)
    const isLast = taken > 0 && receipt === state[0]
    const total = Math.max(0, isLast ? taken - cost * unit : taken)
    const kept = keep(state, now, total, parts, unit, capacity)
    return { receipt: isLast ? state[0]! : receipt, ...kept }
  },
}

/**
 * The parts of all turns not yet over: at most the capacity, a debt as large, and as much again
 * where the clock has been set back since. From further ahead, by a clock that was wrong or under
 * an older policy, it reads as none. Under an older policy a part may have been smaller.
 */
function takenAt(
  state: Readonly<State>,
  now: number,
  parts: number,
  unit: number,
  capacity: number,
): number {
  const [time = 0, part = 0] = state
  const taken = (time - now) * parts + Math.min(part, parts - 1)
  return taken > 0 && taken <= 3 * capacity * unit ? taken : 0
}

/** Stores the parts of all turns not yet over. */
function keep(
  state: State,
  now: number,
  taken: number,
  parts: number,
  unit: number,
  capacity: number,
): { readonly remaining: number; readonly reset: number; readonly ttl: number } {
  state[0] = now + Math.floor(taken / parts)
  state[1] = taken % parts
  const reset = Math.ceil(taken / parts)
  const remaining = Math.max(0, Math.floor((capacity * unit - taken) / unit))
  return { remaining, reset, ttl: reset }
}
