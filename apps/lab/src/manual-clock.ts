import type { Clock } from '@spillway/core'
import type { StoreClock } from './store-clock.js'

/** A clock that stands still until somebody sets it, or sleeps by it. */
export interface ManualClock {
  readonly clock: Clock
  /** The same time, to be slept by: nobody really waits. */
  readonly storeClock: StoreClock
  advance(us: number): void
}

export function manualClock(startUs: number): ManualClock {
  let nowUs = startUs
  return {
    clock: () => nowUs,
    storeClock: {
      now: async () => nowUs,
      sleepUntil: async (timeUs) => {
        nowUs = Math.max(nowUs, timeUs)
      },
    },
    advance: (us) => {
      nowUs += us
    },
  }
}
