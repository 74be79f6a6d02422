import type { Algorithm, Policy } from '../src/index.js'

/** What a {@link tally} is made of, where a test wants it otherwise. */
export interface TallyOptions {
  readonly windowMs?: number
  readonly maxCost?: Policy['maxCost']
  readonly delayUs?: number
}

/**
 * The simplest rule there is, so that core can be tested without any real one: up to `limit`
 * units, counted until a window after the first of them.
 */
export function tally(limit: number, options: TallyOptions = {}): Policy {
  const { windowMs = 1000, maxCost, delayUs = 0 } = options
  return {
    algorithm,
    args: [limit, windowMs * 1000, delayUs],
    limit,
    windowMs,
    capacity: limit,
    ...(maxCost && { maxCost }),
    most: () => limit,
    exact: false,
  }
}

type TallyArgs = readonly [limit: number, window: number, delay: number]

// The state is [units, until].
const algorithm: Algorithm = {
  name: 'tally',
  contract: 1,
  lua: 'return {}',

  check(state, now, cost, [limit, window, delay]: TallyArgs) {
    const { units, until } = read(state, now, window)
    const allowed = units + cost <= limit
    return {
      allowed,
      remaining: Math.max(0, limit - units),
      wait: allowed ? delay : until - now,
      reset: until - now,
    }
  },

  record(state, now, cost, [limit, window]: TallyArgs) {
    const { units, until } = read(state, now, window)
    const total = Math.min(units + cost, 2 * limit)
    state.splice(0, 2, total, until)
    const left = until - now
    return { receipt: until, remaining: Math.max(0, limit - total), reset: left, ttl: left }
  },

  giveBack(state, now, cost, [limit, window]: TallyArgs, receipt) {
    const { units, until } = read(state, now, window)
    const rest = until === receipt ? Math.max(0, units - cost) : units
    state.splice(0, 2, rest, until)
    const left = until - now
    return { receipt, remaining: Math.max(0, limit - rest), reset: left, ttl: rest > 0 ? left : 0 }
  },
}

function read([units = 0, until = 0]: readonly number[], now: number, window: number) {
  return until > now ? { units, until } : { units: 0, until: now + window }
}
