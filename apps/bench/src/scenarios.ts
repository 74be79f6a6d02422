import type { Limit } from './subject.js'

/** What the keys of a table meet. */
export interface Mix {
  readonly name: 'allowed' | 'denied'
  readonly keys: number
  readonly limit: Limit
  /** Requests of each key beforehand. */
  readonly before: number
}

/** Nearly all allowed, and nearly all denied. */
export const mixes: readonly Mix[] = [
  { name: 'allowed', keys: 10_000, limit: { limit: 10_000, windowMs: 60_000 }, before: 1 },
  { name: 'denied', keys: 1000, limit: { limit: 10, windowMs: 3_600_000 }, before: 11 },
]

export const concurrencies: readonly number[] = [1, 64, 256]
