import { invalid } from './invalid.js'
import { SpillwayError } from './spillway-error.js'

/**
 * Tells the time as whole microseconds since 1970.
 *
 * A clock that steps back makes limiters wait rather than admit more; one that jumps ahead makes
 * them forget. Give your own in tests, and to a hosted Redis that refuses the TIME command.
 */
export type Clock = () => number

/**
 * What a clock that was given says, for stores.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` if that is no time, `STORE_UNAVAILABLE` if it fails
 */
export function timeOf(clock: Clock): number {
  let now: number
  try {
    now = clock()
  } catch (cause) {
    throw new SpillwayError('STORE_UNAVAILABLE', 'the clock failed, so nothing was counted', {
      cause,
    })
  }
  if (Number.isSafeInteger(now) && now >= 0) return now
  throw invalid('clock', 'must return whole microseconds since 1970', now)
}

/** The clock of this process. Its steps are one millisecond. */
export const systemClock: Clock = () => Date.now() * 1000
