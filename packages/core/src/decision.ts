import type { Cost } from './limiter.js'
import type { Receipt } from './receipt.js'
import type { Source } from './store.js'

/** Where one policy stands. Whole numbers: durations are rounded up, capacity down. */
export interface Quota {
  /** Whether this policy by itself allows the cost. */
  readonly allowed: boolean
  /** Units per window, as the policy states them. */
  readonly limit: number
  /**
   * Units left: after the cost where it was counted, else before it. 0 and not measured where
   * nobody decided, as for a cost that can never fit.
   */
  readonly remaining: number
  /** Milliseconds until spent quota returns; each algorithm says which part of it. */
  readonly resetAfterMs: number
}

/** What is common to all decisions of a limiter with the policies `N`. */
export interface Outcome<N extends string> extends Quota {
  /**
   * The policy whose numbers stand here: of those that denied, the one with the longest wait;
   * else the one with the least left.
   */
  readonly policy: N
  /** The numbers of every policy. */
  readonly policies: Readonly<Record<N, Quota>>
  /**
   * Who decided:
   * - `store`: the store, at its own time
   * - `cache`: this process, from an earlier denial
   * - `fallback`: another store, because the first one failed
   * - `assumed`: nobody, as none had to be asked or none answered: `remaining` and `resetAfterMs`
   *   are 0 and not measured
   */
  readonly source: Source
}

/** The cost was counted: go ahead. */
export interface Allowed<N extends string> extends Outcome<N> {
  readonly allowed: true
  /** Milliseconds to wait before going ahead; 0 unless a policy spaces requests out. */
  readonly delayMs: number
  /** By which `refund` gives the cost back. */
  readonly receipt: Receipt
}

/** The cost was not counted by any policy. */
export interface Denied<N extends string, R = number | null> extends Outcome<N> {
  readonly allowed: false
  /**
   * Milliseconds until the same cost is allowed if nobody else comes first, exact to the
   * millisecond; `null` when no wait can ever make it fit.
   */
  readonly retryAfterMs: R
}

/** The answer to `consume`. Check `allowed` first: the rest depends on it. */
export type Decision<N extends string, R = number | null> = Allowed<N> | Denied<N, R>

/** The answer to `peek`: what a cost of 1 would meet now. Nothing was counted: no receipt. */
export type Look<N extends string> = Omit<Allowed<N>, 'receipt'> | Denied<N, number>

/** A counted estimate, to be settled once. */
export interface Reserved<N extends string> extends Allowed<N> {
  /**
   * Makes the actual cost what counts: gives the rest of the estimate back, or charges the excess,
   * which may leave a debt of up to one capacity. A policy's actual cost may be 0.
   *
   * @throws SpillwayError `INVALID_ARGUMENT` if it is settled already; after `STORE_UNAVAILABLE`
   *   it may be settled again
   */
  settle(actual: Cost<N>): Promise<void>
  /** Settles it at 0. */
  cancel(): Promise<void>
}

/** The answer to `reserve`. */
export type Reservation<N extends string> = Reserved<N> | Denied<N>
