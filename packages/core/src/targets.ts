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
  requireKeys(policies, key)
  return policies.map((policy) => keyFor(policy, key, slotBy))
}

/** The targets of a request. */
export function targetsOf<N extends string>(
  policies: readonly NamedPolicy<N>[],
  key: Key<N>,
  cost: Cost<N>,
  slotBy: N | undefined,
): Target[] {
  requireKeys(policies, key)
  return policies.map((named): Target => {
    const { name, policy } = named
    const units = costFor(name, cost)
    const { maxCost, shadow } = policy
    if (maxCost !== undefined && units > maxCost.value && !shadow) {
      const must = `must be at most ${maxCost.value} (${maxCost.advice})`
      throw invalid(costOption(name, cost), must, units)
    }
    const stored = keyFor(named, key, slotBy)
    return shadow === true
      ? { policy, key: stored, cost: units, shadow }
      : { policy, key: stored, cost: units }
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

function requireKeys<N extends string>(policies: readonly NamedPolicy<N>[], key: Key<N>): void {
  if (typeof key === 'string') {
    requireKey('key', key)
    return
  }
  if (typeof key !== 'object' || key === null) {
    throw invalid('key', 'must be a non-empty string, or one for each policy', key)
  }
  for (const { name } of policies) requireKey(`key.${name}`, key[name])
}

function keyFor<N extends string>(
  { name, head }: NamedPolicy<N>,
  key: Key<N>,
  slotBy: N | undefined,
): string {
  if (typeof key === 'string') return storeKey(head, key)
  return storeKey(head, key[name], slotBy && key[slotBy])
}

function requireKey(option: string, key: string): void {
  if (typeof key !== 'string' || key === '') {
    throw invalid(option, 'must be a non-empty string', key)
  }
  if (!key.isWellFormed()) throw invalid(option, 'must not contain a lone surrogate', key)
}
