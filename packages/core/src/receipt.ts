import type { Store, Target, TargetRuling } from './store.js'

/** What a limiter needs to know to give a cost back. */
export interface Counted {
  readonly limiter: object
  /** The store that counted it; `null` if none did. */
  readonly store: Store | null
  readonly targets: readonly Target[]
  /** A target as it is to be given back or charged now: a policy may have been replaced since. */
  readonly inForce: (target: Target, index: number) => Target
  /** Told of targets of which something has come back. */
  readonly cameBack: (targets: readonly Target[]) => void
  readonly rulings: readonly TargetRuling[]
  /** What is left to give back, by target; unset until it is first asked for: see {@link restOf}. */
  rest?: readonly Rest[]
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

/** Whether a target counted: not a shadow that would have denied, nor what was only assumed. */
export function isCounted(proof: Counted, target: number): boolean {
  return proof.store !== null && proof.rulings[target]!.allowed
}

/** What of a counted cost has not been given back yet, by target. */
export function restOf(proof: Counted): readonly Rest[] {
  proof.rest ??= proof.targets.map(({ cost }, i) => ({
    cost: isCounted(proof, i) ? cost : 0,
    receipt: proof.rulings[i]!.receipt,
  }))
  return proof.rest
}
