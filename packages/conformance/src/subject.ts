import type { Clock, Policy, Store } from '@spillway/core'

/** What the laws are checked on: policies of one algorithm, decided by one store. */
export interface Subject {
  readonly store: StoreUnderTest
  /**
   * At least two: small limits find faults fastest, windows that do not divide evenly find the
   * rest, and one of a few milliseconds is waited out in real time. Each law is checked on each.
   * Policies of several algorithms show that a store keeps these apart.
   */
  readonly policies: readonly Policy[]
}

/** A store as the laws need it. Keys are never used twice, so it need not be empty. */
export interface StoreUnderTest {
  readonly name: string
  /** Opens the store; it decides by the clock, or by its own time if none is given. */
  open(clock?: Clock): Store
  /** Opens one that holds at most `maxKeys`, if this store can be bounded so. */
  bounded?(clock: Clock, maxKeys: number): Store
  /** What only the store's own means can tell; laws that need it cannot be checked without. */
  readonly inspect?: Inspector
  /** How many random histories a law tries on each policy. Default 100. */
  readonly runs?: number
  /** For how long a history that breaks a law is made smaller, in milliseconds. Default 3000. */
  readonly shrinkMs?: number
  /** Draws the same histories every time. Default: others every time. */
  readonly seed?: number
}

/** Looks into a store behind its back. */
export interface Inspector {
  /** Milliseconds a key has left, `Infinity` for a key without a TTL, `null` for no such key. */
  ttlMs(key: string): Promise<number | null>
  /** Takes a key's TTL away. */
  loseTtl(key: string): Promise<void>
  /** Makes a key unreadable for every algorithm, as by a value of another type. */
  spoil(key: string): Promise<void>
  /** How many changes the store has made to its data so far. */
  changes(): Promise<number>
  /** How much a key takes, in bytes or any other unit; 0 for no such key. */
  size(key: string): Promise<number>
  /**
   * Makes the store's server lose what it holds besides data and may lose at any time: cached
   * scripts, prepared statements.
   */
  loseCaches?(): Promise<void>
}
