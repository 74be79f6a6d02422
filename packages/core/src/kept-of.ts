import type { Policy } from './policy.js'

/** How much of a charge can matter: a capacity in use and a debt as large. The rest is let go. */
export function keptOf({ capacity }: Policy, cost: number): number {
  return Math.min(cost, 2 * capacity)
}
