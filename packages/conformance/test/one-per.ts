import type { Algorithm, Policy, State } from '@spillway/core'

/** One request per window: the smallest rule that obeys every law. Its parts can be replaced by broken ones. */
export function onePer(windowMs: number, broken: Partial<Algorithm> = {}): Policy {
  const window = windowMs * 1000
  return {
    algorithm: { ...algorithm, ...broken },
    args: [window],
    limit: 1,
    windowMs,
    capacity: 1,
    most: (interval) => Math.ceil(interval / window),
    exact: true,
  }
}

type OneArgs = readonly [window: number]

// The state is [time of the request], or empty.
const algorithm: Algorithm = {
  name: 'one-per',
  contract: 1,
  lua: '',

  check(state, now, _cost, [window]: OneArgs) {
    const left = leftUs(state, now, window)
    return { allowed: left === 0, remaining: left === 0 ? 1 : 0, wait: left, reset: left || window }
  },

  record(state, now, _cost, [window]: OneArgs) {
    const time = leftUs(state, now, window) === 0 ? now : Math.max(now, state[0]! + 1)
    state[0] = time
    const reset = time + window - now
    return { receipt: time, remaining: 0, reset, ttl: reset }
  },

  giveBack(state, now, _cost, [window]: OneArgs, receipt) {
    if (state[0] === receipt) state.length = 0
    const left = leftUs(state, now, window)
    if (left === 0) state.length = 0
    return { receipt, remaining: left === 0 ? 1 : 0, reset: left || window, ttl: left }
  },
}

function leftUs([time]: Readonly<State>, now: number, window: number): number {
  return time === undefined || time > now + 2 * window ? 0 : Math.max(0, time + window - now)
}
