import type { Policy } from './policy.js'

/**
 * What a store does with a request:
 * - `look`: judge the present, write nothing
 * - `consume`: count the cost if every target allows it, else write nothing
 * - `charge`: count the cost whatever the targets say, for costs known only afterwards
 * - `giveBack`: give a counted cost back, by its receipt
 */
export type Mode = 'look' | 'consume' | 'charge' | 'giveBack'

/** One policy applied to one key. */
export interface Target {
  readonly policy: Policy
  /** The whole stored key, unique among the targets of a request. */
  readonly key: string
  /** Whole units, at least 1. */
  readonly cost: number
  /** Decided, counted when allowed, and reported, but its denial denies nothing. */
  readonly shadow?: boolean
  /** The receipt to give back by; only for `giveBack`. */
  readonly receipt?: number
}

/** One request: all its targets are decided together. */
export interface Request {
  /** From 1 to 8 targets. */
  readonly targets: readonly Target[]
  readonly mode: Mode
}

/** Who decided: see `Outcome.source`. */
export type Source = 'store' | 'cache' | 'fallback' | 'assumed'

/** What became of one target. All times are whole microseconds. */
export interface TargetRuling {
  /** Whether this target alone allows the cost. */
  readonly allowed: boolean
  /** Units left: after the cost where it was counted, else before it. */
  readonly remaining: number
  /** Until this caller may go ahead. */
  readonly wait: number
  /** Until spent quota returns. */
  readonly reset: number
  /** By which the cost can be given back; 0 where nothing was counted. */
  readonly receipt: number
}

/** What became of a request. */
export interface Ruling {
  /** Whether every target that is not a shadow allows it. */
  readonly allowed: boolean
  /** One for each target, in the same order. */
  readonly targets: readonly TargetRuling[]
  readonly source: Source
  /** The store that counted it, where that is not the one that was asked; refunds go there. */
  readonly countedBy?: Store
}

/** Tells whether the caller of a request is still there. */
export interface Caller {
  /** Becomes `true` when the caller has given up: a request not sent by then is not sent. */
  readonly gone: boolean
}

/**
 * Where counts live. A store decides one request at its own time, atomically and all or nothing.
 *
 * Both methods fail with a `SpillwayError` when the store is broken: `STORE_UNAVAILABLE` if
 * nothing can have been counted, `STORE_INDETERMINATE` if something may have been. They never
 * answer a failure with an allow.
 */
export interface Store {
  /** What needs no waiting may be answered, or thrown, at once: a promise costs more than a decision. */
  decide(request: Request, caller?: Caller): Ruling | Promise<Ruling>
  /** Forgets these keys altogether, as if never seen. */
  forget(keys: readonly string[]): Promise<void>
}
