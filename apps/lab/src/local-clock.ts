import type { Clock } from '@spillway/core'

/** This process's own clock: whole microseconds since 1970, and it never steps. */
export const localClock: Clock = () =>
  Math.floor((performance.timeOrigin + performance.now()) * 1000)
