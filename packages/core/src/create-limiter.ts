import type { Allowed, Decision, Look } from './decision.js'
import { giveBack } from './give-back.js'
import { invalid } from './invalid.js'
import type { Cost, Key, Limiter, Refund } from './limiter.js'
import type { Policy } from './policy.js'
import { positiveInteger } from './positive-integer.js'
import { counted } from './receipt.js'
import { SpillwayError } from './spillway-error.js'
import type { Store, Target } from './store.js'
import { storeKey } from './store-key.js'
import { neverFits, toDecision } from './to-decision.js'

/** How a limiter is made. */
export interface LimiterOptions<P extends Readonly<Record<string, Policy>>> {
  /** Where counts live: `memoryStore()`, `ioredisStore(redis)`, `nodeRedisStore(client)` … */
  readonly store: Store
  /**
   * From 1 to 8 policies by name; a request must be allowed by all of them. A name is part of the
   * stored key, so renaming a policy starts it afresh. Letters, digits, `_`, `.` and `-`.
   */
  readonly policies: P
  /**
   * Starts every stored key, so that applications can share a Redis. Letters, digits, `_`, `.`
   * and `-`. Default `'spillway'`.
   */
  readonly prefix?: string
  /**
   * Where keys are given by policy: the policy whose key carries the slot in a Redis Cluster, so
   * that all of them can be decided in one step. The counts of the other policies are then kept
   * apart for each such key. Default: every key carries its own slot.
   */
  readonly slotBy?: keyof P & string
}

/**
 * Makes a limiter: policies by name, over a store.
 *
 * @example
 * const limiter = createLimiter({
 *   store: memoryStore(),
 *   policies: { api: slidingWindow({ limit: 100, window: '60s' }) },
 * })
 * const decision = await limiter.consume('user:42')
 * if (!decision.allowed) tellThemToWait(decision.retryAfterMs)
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, `CONTRACT_MISMATCH` for a policy
 *   from a package that does not fit this one
 */
export function createLimiter<const P extends Readonly<Record<string, Policy>>>(
  options: LimiterOptions<P>,
): Limiter<keyof P & string> {
  type N = keyof P & string
  const { store, prefix = 'spillway', slotBy } = options
  if (typeof store?.decide !== 'function' || typeof store.forget !== 'function') {
    throw invalid('store', 'must be a store, such as memoryStore()', store)
  }
  requireName('prefix', prefix)
  const policies = checkedPolicies<N>(options.policies)
  const names = policies.map(({ name }) => name)
  if (slotBy !== undefined && !names.includes(slotBy)) {
    throw invalid('slotBy', `must be a policy's name (${names.join(', ')})`, slotBy)
  }
  const heads = policies.map(({ name, policy }) => `${prefix}:${name}:${policy.algorithm.name}:`)

  function storeKeys(key: Key<N>): string[] {
    if (typeof key === 'string') {
      requireKey('key', key)
      return heads.map((head) => storeKey(head, key))
    }
    if (typeof key !== 'object' || key === null) {
      throw invalid('key', 'must be a non-empty string, or one for each policy', key)
    }
    for (const name of names) requireKey(`key.${name}`, key[name])
    const slot = slotBy && key[slotBy]
    return policies.map(({ name }, i) => storeKey(heads[i]!, key[name], slot))
  }

  function targetsOf(key: Key<N>, cost: Cost<N>): Target[] {
    const keys = storeKeys(key)
    return policies.map(({ name, policy }, i) => {
      const { maxCost } = policy
      const units = costFor(name, cost)
      if (maxCost !== undefined && units > maxCost.value) {
        const must = `must be at most ${maxCost.value} (${maxCost.advice})`
        throw invalid(costOption(name, cost), must, units)
      }
      return { policy, key: keys[i]!, cost: units }
    })
  }

  function consume(key: Key<N>): Promise<Decision<N, number>>
  function consume(key: Key<N>, cost: Cost<N>): Promise<Decision<N>>
  async function consume(key: Key<N>, cost: Cost<N> = 1): Promise<Decision<N>> {
    const targets = targetsOf(key, cost)
    if (targets.some((target) => target.cost > target.policy.capacity)) {
      return neverFits(names, targets)
    }
    const ruling = await store.decide({ mode: 'consume', targets })
    const look = toDecision(names, targets, ruling)
    if (!look.allowed) return look
    return { ...look, receipt: { [counted]: { limiter, targets, rulings: ruling.targets } } }
  }

  async function peek(key: Key<N>): Promise<Look<N>> {
    const targets = targetsOf(key, 1)
    return toDecision(names, targets, await store.decide({ mode: 'look', targets }))
  }

  async function refund(decision: Allowed<N>, cost?: Refund<N>): Promise<void> {
    const proof = decision?.receipt?.[counted]
    if (proof?.limiter !== limiter) {
      throw invalid('decision', 'must be one that this limiter allowed', decision)
    }
    proof.rest ??= proof.targets.map((target, i) => {
      const { allowed, receipt } = proof.rulings[i]!
      return { cost: allowed ? target.cost : 0, receipt }
    })
    const { rest } = proof
    const costs = names.map((name, i) => {
      const left = rest[i]!.cost
      const back = cost === undefined ? left : refundFor(name, cost)
      if (back > left) {
        const must = `must be at most the ${left} not yet given back`
        throw invalid(costOption(name, cost), must, back)
      }
      return back
    })
    if (costs.some((back) => back > 0)) await giveBack(store, proof, rest, costs)
  }

  async function reset(key: Key<N>): Promise<void> {
    await store.forget(storeKeys(key))
  }

  const limiter: Limiter<N> = { consume, peek, refund, reset }
  return limiter
}

interface NamedPolicy<N extends string> {
  readonly name: N
  readonly policy: Policy
}

function checkedPolicies<N extends string>(
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
    const policy = policies[name]
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
    return { name, policy }
  })
}

function costFor<N extends string>(name: N, cost: Refund<N>): number {
  const own = typeof cost === 'object' && cost !== null ? cost[name] : cost
  return positiveInteger(costOption(name, cost), own)
}

function refundFor<N extends string>(name: N, cost: Refund<N>): number {
  const isLeftOut = typeof cost === 'object' && cost !== null && cost[name] === undefined
  return isLeftOut ? 0 : costFor(name, cost)
}

function costOption(name: string, cost: unknown): string {
  return typeof cost === 'object' && cost !== null ? `cost.${name}` : 'cost'
}

function requireKey(option: string, key: string): void {
  if (typeof key !== 'string' || key === '')
    throw invalid(option, 'must be a non-empty string', key)
  if (!key.isWellFormed()) throw invalid(option, 'must not contain a lone surrogate', key)
}

function requireName(option: string, name: string): void {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]+$/.test(name) || name === '__proto__') {
    throw invalid(option, 'must consist of letters, digits, "_", "." and "-"', name)
  }
}
