import type { Allowed, Reserved } from './decision.js'
import { giveBack } from './give-back.js'
import { invalid } from './invalid.js'
import type { Cost } from './limiter.js'
import { counted, restOf } from './receipt.js'
import { isUnavailable, SpillwayError } from './spillway-error.js'
import type { Store, Target } from './store.js'
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
    const costs = names.map((name) => actualFor(name, actual))
    if (isSettled) {
      throw new SpillwayError('INVALID_ARGUMENT', 'settle and cancel end a reservation only once')
    }
    isSettled = true
    try {
      await chargeUpTo(costs)
      const unused = restOf(proof).map(({ cost }, i) => Math.max(0, cost - costs[i]!))
      await giveBack(proof, unused)
    } catch (error) {
      if (isUnavailable(error)) isSettled = false
      throw error
    }
  }

  /** Charges what is not counted yet, in as many requests as the costs a policy takes demand. */
  async function chargeUpTo(costs: readonly number[]): Promise<void> {
    for (;;) {
      const indexes: number[] = []
      const targets: Target[] = []
      proof.targets.forEach((target, i) => {
        const missing = costs[i]! - restOf(proof)[i]!.cost - charged[i]!
        if (missing <= 0 || !proof.rulings[i]!.allowed) return
        const { maxCost } = target.policy
        indexes.push(i)
        targets.push({ ...target, cost: Math.min(missing, maxCost?.value ?? missing) })
      })
      if (targets.length === 0) return
      await (proof.store ?? store).decide({ mode: 'charge', targets: targets.map(cutDebt) })
      indexes.forEach((index, i) => {
        charged[index]! += targets[i]!.cost
      })
    }
  }

  return { ...decision, settle, cancel: () => settle(0) }
}

/** No debt above one capacity is kept, so that more than two need not be charged. */
export function cutDebt(target: Target): Target {
  return { ...target, cost: Math.min(target.cost, 2 * target.policy.capacity) }
}

function actualFor<N extends string>(name: N, actual: Cost<N>): number {
  const own: unknown = typeof actual === 'object' && actual !== null ? actual[name] : actual
  if (Number.isSafeInteger(own) && (own as number) >= 0) return own as number
  throw invalid(costOption(name, actual), 'must be an integer of at least 0', own)
}
