import { isByPolicy, requireKnownNames, valueFor } from './by-policy.js'
import { invalid } from './invalid.js'
import type { Cost, Key } from './limiter.js'
import type { NamedPolicy } from './named-policies.js'
import { positiveInteger } from './positive-integer.js'
import type { Target } from './store.js'
import { requireIdentity, storeKey } from './store-key.js'

/** The stored key of each policy for a caller's key. */
export function storeKeys<N extends string>(
  policies: readonly NamedPolicy<N>[],
  key: Key<N>,
  slotBy: N | undefined,
): string[] {
  if (typeof key === 'string') return policies.map(({ keyOf }) => keyOf(key))
  if (!isByPolicy(key)) {
    throw invalid('key', 'must be a non-empty string, or one for each policy', key)
  }
  for (const { name } of policies) requireIdentity(`key.${name}`, valueFor(key, name))
  requireKnownNames('key', key, namesOf(policies))
  return policies.map(({ head, name }) => storeKey(head, key[name], slotBy && key[slotBy]))
}

/** The targets of a request. */
export function targetsOf<N extends string>(
  policies: readonly NamedPolicy<N>[],
  key: Key<N>,
  cost: Cost<N>,
  slotBy: N | undefined,
): Target[] {
  const keys = storeKeys(policies, key, slotBy)
  if (isByPolicy(cost)) requireKnownNames('cost', cost, namesOf(policies))
  const targets: Target[] = []
  for (let i = 0; i < policies.length; i++) {
    const { name, policy } = policies[i]!
    const { maxCost, shadow } = policy
    const units = costFor(name, cost)
    if (maxCost !== undefined && units > maxCost.value && !shadow) {
      const must = `must be at most ${maxCost.value} (${maxCost.advice})`
      throw invalid(costOption(name, cost), must, units)
    }
    targets.push(
      shadow === true
        ? { policy, key: keys[i]!, cost: units, shadow }
        : { policy, key: keys[i]!, cost: units },
    )
  }
  return targets
}

function namesOf(policies: readonly NamedPolicy<string>[]): string[] {
  return policies.map(({ name }) => name)
}

/** The cost meant for one policy. */
export function costFor<N extends string>(
  name: N,
  cost: number | { readonly [P in N]?: number },
): number {
  return isByPolicy(cost)
    ? positiveInteger(`cost.${name}`, valueFor(cost, name))
    : positiveInteger('cost', cost)
}

/** What the cost of one policy is called in messages. */
export function costOption(name: string, cost: unknown): string {
  return isByPolicy(cost) ? `cost.${name}` : 'cost'
}
