import type { Policy } from '@spillway/core'
import * as fc from 'fast-check'

/** One step of a random history of one key. */
export type Step =
  | { readonly do: 'wait'; readonly us: number }
  /** Waits as long as the latest decision said, or a microsecond less. */
  | { readonly do: 'wait out'; readonly lessUs: 0 | 1 }
  /** The clock is set back. */
  | { readonly do: 'step back'; readonly us: number }
  | { readonly do: 'look' | 'consume' | 'charge'; readonly cost: number }
  /**
   * Gives back up to `cost` of the allowed request number `which` (counted round), or of the latest
   * one that is not yet given back.
   */
  | { readonly do: 'give back'; readonly which: number | 'latest'; readonly cost: number }

/** What a random history may hold besides waiting, looking and consuming. */
export interface StepKinds {
  readonly charge?: boolean
  readonly giveBack?: boolean
  readonly stepBack?: boolean
}

/** A random history: when it starts, and its steps. */
export interface History {
  /** Whole microseconds since 1970. */
  readonly start: number
  readonly steps: readonly Step[]
}

/** The highest cost a request of this policy may have. */
export function mostCost(policy: Policy): number {
  return Math.min(policy.capacity, policy.maxCost?.value ?? policy.capacity)
}

/** The index of a policy of the same algorithm, to go on with. */
export function sameRule(policy: Policy, policies: readonly Policy[]): fc.Arbitrary<number> {
  const indices = [...policies.keys()]
  return fc.constantFrom(...indices.filter((i) => policies[i]!.algorithm === policy.algorithm))
}

/** How long a full capacity takes to return at the policy's rate, in whole microseconds. */
export function refillUs({ capacity, limit, windowMs }: Policy): number {
  return Math.floor((capacity * windowMs * 1000) / limit)
}

/**
 * Random histories that stay near the edges of the rule: waits of just about a window or a unit's
 * share of it, waits as long as the last denial asked for, costs from 1 to all.
 */
export function histories(policy: Policy, kinds: StepKinds = {}): fc.Arbitrary<History> {
  const window = policy.windowMs * 1000
  const share = Math.max(1, Math.floor(window / policy.limit))
  const cost = fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: mostCost(policy) }) },
  )
  const us = fc.oneof(
    fc.integer({ min: 0, max: 2 * share }),
    fc.integer({ min: 0, max: 2 * window }),
    fc.constantFrom(1, share - 1, share, share + 1, window - 1, window, window + 1),
  )
  const which = fc.nat(30)
  const steps: fc.WeightedArbitrary<Step>[] = [
    { weight: 8, arbitrary: cost.map((cost) => ({ do: 'consume', cost })) },
    { weight: 3, arbitrary: us.map((us) => ({ do: 'wait', us })) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Step>(
        { do: 'wait out', lessUs: 0 },
        { do: 'wait out', lessUs: 1 },
      ),
    },
    { weight: 1, arbitrary: cost.map((cost) => ({ do: 'look', cost })) },
  ]
  if (kinds.charge)
    steps.push({ weight: 1, arbitrary: cost.map((cost) => ({ do: 'charge', cost })) })
  if (kinds.giveBack) {
    const giveBack = fc.record({ do: fc.constant('give back' as const), which, cost })
    steps.push({ weight: 3, arbitrary: giveBack })
  }
  if (kinds.stepBack)
    steps.push({ weight: 1, arbitrary: us.map((us) => ({ do: 'step back', us })) })
  return fc.record({
    start: fc.integer({ min: 0, max: window - 1 }).map((us) => 1_800_000_000_000_000 + us),
    steps: fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 40, size: 'max' }),
  })
}
