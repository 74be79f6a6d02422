import { judge, type Policy, type State } from '@spillway/core'
import { type Driven, drive } from './drive.js'

/** The TypeScript twin, driven on a state in the open, which nothing ever forgets too early. */
export interface Replayer {
  readonly take: Driven['take']
  readonly state: State
  /** The clock, as it now stands. */
  readonly now: number
  /** The clock at the latest write. */
  readonly writtenAt: number
  /** The TTL of the latest write; unset before the first. */
  readonly ttl: number | undefined
}

/** Makes one with a fresh state and a clock of its own. */
export function replayer(policy: Policy, start: number): Replayer {
  const clock = { now: start }
  let state: State = []
  let ttl: number | undefined
  let writtenAt = start
  const driven = drive(
    {
      async decide(request) {
        const { ruling, ttls } = judge([state], request, clock.now)
        if (typeof ttls[0] === 'number') {
          ttl = ttls[0]
          writtenAt = clock.now
          if (ttl === 0) state = []
        }
        return ruling
      },
      async forget() {
        state = []
      },
    },
    clock,
    policy,
  )
  return {
    take: driven.take,
    get state() {
      return state
    },
    get now() {
      return clock.now
    },
    get writtenAt() {
      return writtenAt
    },
    get ttl() {
      return ttl
    },
  }
}
