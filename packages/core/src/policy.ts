import type { Algorithm, Args } from './algorithm.js'

/**
 * An algorithm with its parameters: what `slidingWindow({ limit: 100, window: '60s' })` makes.
 * It is immutable and holds no counts, so one policy may serve many limiters.
 */
export interface Policy {
  readonly algorithm: Algorithm
  /** The parameters as the algorithm's twins read them. */
  readonly args: Args
  /** Units per window, as the user stated them. */
  readonly limit: number
  /** Length of the window in milliseconds. */
  readonly windowMs: number
  /**
   * The most units one request may cost and the most that can be left: `limit`, or the burst
   * where the rule has one. A higher cost can never be allowed.
   */
  readonly capacity: number
  /**
   * Set by a rule that stores every unit of cost by itself: a higher cost is refused as misuse,
   * and the message ends with this advice.
   */
  readonly maxCost?: { readonly value: number; readonly advice: string }
  /**
   * The promise: the most net cost admitted in any half-open interval of this many microseconds,
   * wherever it starts. Defined for every number of at least 0, fractions and `Infinity` too.
   */
  most(intervalUs: number): number
  /**
   * Whether every denial is one that {@link Policy.most} demands. `false` for a rule such as the
   * fixed window, which may deny what its promise would still bear.
   */
  readonly exact: boolean
  /** Whether it is only tried out: see {@link shadow}. */
  readonly shadow?: boolean
}
