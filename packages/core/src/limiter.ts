import type { Allowed, Decision, Look, Outcome, Reservation } from './decision.js'
import type { Policy } from './policy.js'

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

/** Options of a single call. */
export interface CallOptions<N extends string> {
  /**
   * Policies that take the place of those of the same names for this call: a customer's own plan,
   * say. Counts are shared with the limiter's own policy where the algorithm is the same.
   */
  readonly policies?: { readonly [P in N]?: Policy } | undefined
}

/** Options of `acquire`. */
export interface AcquireOptions<N extends string> extends CallOptions<N> {
  /** Default 1. */
  readonly cost?: Cost<N> | undefined
  /** Gives up when aborted, with the signal's reason. */
  readonly signal?: AbortSignalLike | undefined
  /**
   * Gives up after so many milliseconds, a positive integer, or at once if more is known to be
   * needed.
   */
  readonly timeoutMs?: number | undefined
}

/** What is used of an `AbortSignal`. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Decides whether requests may go ahead under the policies `N`, all or nothing.
 *
 * Every method rejects with a `SpillwayError`: `INVALID_ARGUMENT` before anything is sent,
 * `STORE_UNAVAILABLE` or `STORE_INDETERMINATE` when the store is broken. A denial is a value.
 */
export interface Limiter<N extends string> {
  /** Counts a cost of 1 if every policy allows it. */
  consume(key: Key<N>): Promise<Decision<N, number>>
  /**
   * Counts a cost if every policy allows it. Denied, it counts for none of them; a cost above a
   * policy's capacity is denied for good, with `retryAfterMs: null`.
   */
  consume(key: Key<N>, cost: Cost<N>, options?: CallOptions<N>): Promise<Decision<N>>
  /** Tells what a cost of 1 would meet now. Writes nothing. */
  peek(key: Key<N>, options?: CallOptions<N>): Promise<Look<N>>
  /**
   * Gives back the cost of an allowed decision, as far as it still counts: what a window or a
   * bucket has already let go is not given a second time. Of before a `reset` of its key, it may give
   * back what others have used since: throw such decisions away.
   *
   * @param decision as this limiter returned it
   * @param cost how much of it; default: all that has not been given back yet
   */
  refund(decision: Allowed<N>, cost?: Refund<N>): Promise<void>
  /**
   * Consumes an estimate, to be settled when the true cost is known. A reservation that is never
   * settled stays charged.
   */
  reserve(key: Key<N>, estimate: Cost<N>, options?: CallOptions<N>): Promise<Reservation<N>>
  /**
   * Counts a cost whatever the policies say, for costs known only afterwards. It may leave a debt
   * of up to one capacity, which later requests wait for; what exceeds that is let go.
   */
  charge(key: Key<N>, cost: Cost<N>, options?: CallOptions<N>): Promise<Outcome<N>>
  /**
   * Waits until this caller may go ahead, the `delayMs` of its decision included. Callers of one key
   * in this process go first come, first served; other processes, and `consume`, may come between.
   *
   * A caller who gives up consumes nothing, except a turn of a leaky bucket that others already
   * wait behind, which passes unused.
   *
   * @throws SpillwayError `TIMED_OUT`, or `NEVER_FITS` for a cost that no wait can make fit; the
   *   signal's reason when aborted
   */
  acquire(key: Key<N>, options?: AcquireOptions<N>): Promise<Allowed<N>>
  /** Puts policies in the place of those of the same names, from the next call on. */
  replace(policies: { readonly [P in N]?: Policy }): void
  /**
   * Forgets all counts of this key under the policies in force, as if it had never been seen.
   * Decisions of before are not to be refunded any more: that would give back what others have used
   * since.
   */
  reset(key: Key<N>, options?: CallOptions<N>): Promise<void>
}
