import { isByPolicy, requireKnownNames, valueFor } from './by-policy.js'
import type { Allowed, Reserved } from './decision.js'
import { giveBack } from './give-back.js'
import { invalid } from './invalid.js'
import { keptOf } from './kept-of.js'
import type { Cost } from './limiter.js'
import { counted, restOf } from './receipt.js'
import { isUnavailable, SpillwayError } from './spillway-error.js'
import type { Store } from './store.js'
import { costOption } from './targets.js'

/**
 * Adds `settle` and `cancel` to an allowed decision over the policies `names`.
 *
 * @param store where to charge what no store has counted
 */
export function toReserved<N extends string>(
  names: readonly N[],
  decision: Allowed<N>,
  store: Store,
): Reserved<N> {
  const proof = decision.receipt[counted]
  const charged = names.map(() => 0)
  let isSettled = false

  async function settle(actual: Cost<N>): Promise<void> {
    if (isByPolicy(actual)) requireKnownNames('cost', actual, names)
    const costs = names.map((name) => actualFor(name, actual))
    if (isSettled) {
      throw new SpillwayError('INVALID_ARGUMENT', 'settle and cancel end a reservation only once')
    }
    isSettled = true
    try {
      await chargeUpTo(costs)
      const unused = restOf(proof).map(({ cost }, i) =>
        Math.min(cost, Math.max(0, cost + charged[i]! - costs[i]!)),
      )
      await giveBack(proof, unused)
    } catch (error) {
      if (isUnavailable(error)) isSettled = false
      throw error
    }
  }

  /** Charges what is not counted yet, in as many requests as the costs a policy takes demand. */
  async function chargeUpTo(costs: readonly number[]): Promise<void> {
    const rest = restOf(proof)
    const inForce = proof.targets.map(proof.inForce)
    const due = inForce.map((target, i) =>
      proof.rulings[i]!.allowed
        ? keptOf(target.policy, costs[i]! - rest[i]!.cost - charged[i]!)
        : 0,
    )
    for (;;) {
      const indexes = [...due.keys()].filter((i) => due[i]! > 0)
      if (indexes.length === 0) return
      const targets = indexes.map((i) => {
        const target = inForce[i]!
        return { ...target, cost: Math.min(due[i]!, target.policy.maxCost?.value ?? due[i]!) }
      })
      await (proof.store ?? store).decide({ mode: 'charge', targets })
      targets.forEach(({ cost }, i) => {
        due[indexes[i]!]! -= cost
        charged[indexes[i]!]! += cost
      })
    }
  }

  return { ...decision, settle, cancel: () => settle(0) }
}

function actualFor<N extends string>(name: N, actual: Cost<N>): number {
  const own: unknown = isByPolicy(actual) ? valueFor(actual, name) : actual
  if (Number.isSafeInteger(own) && (own as number) >= 0) return own as number
  throw invalid(costOption(name, actual), 'must be an integer of at least 0', own)
}
