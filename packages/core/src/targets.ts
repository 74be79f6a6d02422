import { invalid } from './invalid.js'
import type { Cost, Key } from './limiter.js'
import type { NamedPolicy } from './named-policies.js'
import { positiveInteger } from './positive-integer.js'
import type { Target } from './store.js'
import { storeKey } from './store-key.js'

/** The stored key of each policy for a caller's key. */
export function storeKeys<N extends string>(
  policies: readonly NamedPolicy<N>[],
  key: Key<N>,
  slotBy: N | undefined,
): string[] {
  if (typeof key === 'string') {
    requireKey('key', key)
    return policies.map(({ head }) => storeKey(head, key))
  }
  if (typeof key !== 'object' || key === null) {
    throw invalid('key', 'must be a non-empty string, or one for each policy', key)
  }
  for (const { name } of policies) requireKey(`key.${name}`, key[name])
  const slot = slotBy && key[slotBy]
  return policies.map(({ name, head }) => storeKey(head, key[name], slot))
}

/** The targets of a request. */
export function targetsOf<N extends string>(
  policies: readonly NamedPolicy<N>[],
  key: Key<N>,
  cost: Cost<N>,
  slotBy: N | undefined,
): Target[] {
  const keys = storeKeys(policies, key, slotBy)
  return policies.map(({ name, policy }, i) => {
    const units = costFor(name, cost)
    const { maxCost, shadow } = policy
    if (maxCost !== undefined && units > maxCost.value && !shadow) {
      const must = `must be at most ${maxCost.value} (${maxCost.advice})`
      throw invalid(costOption(name, cost), must, units)
    }
    const target = { policy, key: keys[i]!, cost: units }
    return shadow === true ? { ...target, shadow } : target
  })
}

/** The cost meant for one policy. */
export function costFor<N extends string>(
  name: N,
  cost: number | { readonly [P in N]?: number },
): number {
  const own = typeof cost === 'object' && cost !== null ? cost[name] : cost
  return positiveInteger(costOption(name, cost), own)
}

/** What the cost of one policy is called in messages. */
export function costOption(name: string, cost: unknown): string {
  return typeof cost === 'object' && cost !== null ? `cost.${name}` : 'cost'
}

function requireKey(option: string, key: string): void {
  if (typeof key !== 'string' || key === '') {
    throw invalid(option, 'must be a non-empty string', key)
  }
  if (!key.isWellFormed()) throw invalid(option, 'must not contain a lone surrogate', key)
}
