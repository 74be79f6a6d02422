/**
 * Tells the time as whole microseconds since 1970.
 *
 * A clock that steps back makes limiters wait rather than admit more; one that jumps ahead makes
 * them forget. Give your own in tests, and to a hosted Redis that refuses the TIME command.
 */
export type Clock = () => number

/** The clock of this process. Its steps are one millisecond. */
export const systemClock: Clock = () => Date.now() * 1000
