import { requireKnownNames, valueFor } from './by-policy.js'
import { invalid } from './invalid.js'
import type { Policy } from './policy.js'
import { SpillwayError } from './spillway-error.js'
import { storedKeys } from './store-key.js'

/** A policy of a limiter, checked. */
export interface NamedPolicy<N extends string> {
  readonly name: N
  readonly policy: Policy
  /** What its stored keys begin with: `prefix:policy:algorithm:`. */
  readonly head: string
  /** The stored key of an identity that is the key of all policies. */
  readonly keyOf: (identity: string) => string
}

/**
 * Checks policies and their names.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` or `CONTRACT_MISMATCH`
 */
export function namedPolicies<N extends string>(
  prefix: string,
  policies: Readonly<Record<N, Policy>>,
): readonly NamedPolicy<N>[] {
  if (typeof policies !== 'object' || policies === null) {
    throw invalid('policies', 'must be an object of policies by name', policies)
  }
  const names = Object.keys(policies) as N[]
  if (names.length < 1 || names.length > 8) {
    throw invalid('policies', 'must be from 1 to 8 policies', names.length)
  }
  return names.map((name) => {
    requireName('policy name', name)
    return namedPolicy(prefix, name, policies[name])
  })
}

/** Puts other policies in the place of those of the same names. */
export function withOverrides<N extends string>(
  prefix: string,
  policies: readonly NamedPolicy<N>[],
  overrides: { readonly [P in N]?: Policy },
): readonly NamedPolicy<N>[] {
  if (typeof overrides !== 'object' || overrides === null) {
    throw invalid('policies', 'must be an object of policies by name', overrides)
  }
  const names = policies.map(({ name }) => name)
  requireKnownNames('policies', overrides, names)
  return policies.map((one) => {
    const override = valueFor<Policy | undefined>(overrides, one.name)
    if (override === undefined) return one
    const named = namedPolicy(prefix, one.name, override)
    return named.head === one.head ? { ...named, keyOf: one.keyOf } : named
  })
}

/** Refuses what cannot be part of a stored key. */
export function requireName(option: string, name: string): void {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]+$/.test(name) || name === '__proto__') {
    throw invalid(option, 'must consist of letters, digits, "_", "." and "-"', name)
  }
}

function namedPolicy<N extends string>(prefix: string, name: N, policy: Policy): NamedPolicy<N> {
  const contract: unknown = policy?.algorithm?.contract
  if (contract === undefined) {
    throw invalid(`policies.${name}`, 'must be a policy, such as slidingWindow({ … })', policy)
  }
  if (contract !== 1) {
    throw new SpillwayError(
      'CONTRACT_MISMATCH',
      `policies.${name} is of contract ${contract}, this @spillway/core of contract 1: ` +
        'install @spillway packages of one version',
    )
  }
  requireName(`policies.${name}.algorithm.name`, policy.algorithm.name)
  const head = `${prefix}:${name}:${policy.algorithm.name}:`
  return { name, policy, head, keyOf: storedKeys(head) }
}
