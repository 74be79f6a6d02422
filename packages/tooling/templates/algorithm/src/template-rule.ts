import {
  type Algorithm,
  type Duration,
  durationMs,
  type Policy,
  positiveInteger,
} from '@spillway/core'
import lua from './template-rule.lua'

/** How a {@link templateRule} is made. */
export interface TemplateRuleOptions {
  /** The most units per window: a positive integer. */
  readonly limit: number
  /** The length of the window, at most a year. */
  readonly window: Duration
}

/**
 * TODO: what the rule does, in a sentence; what it guarantees; what `resetAfterMs` is the time to.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export function templateRule(options: TemplateRuleOptions): Policy {
  const limit = positiveInteger('limit', options?.limit)
  const windowMs = durationMs('window', options.window)
  const window = windowMs * 1000
  return {
    algorithm,
    args: [limit, window],
    limit,
    windowMs,
    capacity: limit,
    // The promise: the most that any half-open interval of so many microseconds admits.
    most: (interval) => limit * Math.ceil(interval / window),
    exact: true,
  }
}

type TemplateRuleArgs = readonly [limit: number, window: number]

// TODO: the state is []: say here what its integers are. This skeleton allows everything and counts
// nothing, so the laws of bounds and refunds fail until it is written.
const algorithm: Algorithm = {
  name: 'template-rule',
  contract: 1,
  lua,

  // Judges the moment before the cost. Changes nothing.
  check(_state, _now, _cost, [limit, window]: TemplateRuleArgs) {
    return { allowed: true, remaining: limit, wait: 0, reset: window }
  },

  // Counts the cost, and answers the moment after.
  record(_state, now, _cost, [limit, window]: TemplateRuleArgs) {
    return { receipt: now, remaining: limit, reset: window, ttl: window }
  },

  // Gives back what of the cost still counts.
  giveBack(_state, _now, _cost, [limit, window]: TemplateRuleArgs, receipt) {
    return { receipt, remaining: limit, reset: window, ttl: 0 }
  },
}
