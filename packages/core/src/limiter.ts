import type { Allowed, Decision, Look } from './decision.js'

/**
 * Whom to limit: one key for all policies, or one for each policy by its name. Any non-empty,
 * well-formed string is one identity.
 */
export type Key<N extends string> = string | Readonly<Record<N, string>>

/** How much: a positive integer for all policies, or one for each policy by its name. */
export type Cost<N extends string> = number | Readonly<Record<N, number>>

/**
 * How much to give back: a positive integer for all policies, or one for each policy by its name;
 * a policy left out keeps what it has counted.
 */
export type Refund<N extends string> = number | { readonly [P in N]?: number }

/**
 * Decides whether requests may go ahead under the policies `N`, all or nothing.
 *
 * Every method rejects with a `SpillwayError`: `INVALID_ARGUMENT` before anything is sent,
 * `STORE_UNAVAILABLE` or `STORE_INDETERMINATE` when the store is broken. A denial is a value.
 */
export interface Limiter<N extends string> {
  /** Counts a cost of 1 if every policy allows it. */
  consume(key: Key<N>): Promise<Decision<N, number>>
  /** Counts a cost if every policy allows it. Denied, it counts for none of them. */
  consume(key: Key<N>, cost: Cost<N>): Promise<Decision<N>>
  /** Tells what a cost of 1 would meet now. Writes nothing. */
  peek(key: Key<N>): Promise<Look<N>>
  /**
   * Gives back the cost of an allowed decision, as far as it still counts: what a window or a
   * bucket has already let go is not given a second time.
   *
   * @param decision as `consume` of this limiter returned it
   * @param cost how much of it; default: all that has not been given back yet
   */
  refund(decision: Allowed<N>, cost?: Refund<N>): Promise<void>
  /** Forgets all counts of this key, as if it had never been seen. */
  reset(key: Key<N>): Promise<void>
}
