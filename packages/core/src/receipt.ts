import type { Target, TargetRuling } from './store.js'

/** What a limiter needs to know to give a cost back. */
export interface Counted {
  readonly limiter: object
  readonly targets: readonly Target[]
  readonly rulings: readonly TargetRuling[]
  /** What is left to give back, by target; unset until the first refund. */
  rest?: Rest[]
  /** Settles when the refunds so far have; refunds of one receipt go one after another. */
  settled?: Promise<void>
}

/** What is left to give back of one target. */
export interface Rest {
  cost: number
  receipt: number
}

/** Under which a receipt keeps what it proves; out of sight of `JSON.stringify`, as keys may be personal. */
export const counted: unique symbol = Symbol('counted')

/** Proof of a counted cost. Opaque: hand the decision that carries it to `refund`. */
export interface Receipt {
  readonly [counted]: Counted
}
