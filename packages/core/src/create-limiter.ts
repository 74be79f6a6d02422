import { isByPolicy, requireKnownNames, valueFor } from './by-policy.js'
import { consumeFitting, fits } from './consume-fitting.js'
import type { Allowed, Decision, Look, Outcome, Reservation } from './decision.js'
import { type DecisionEvent, tell } from './decision-event.js'
import { giveBack } from './give-back.js'
import { invalid } from './invalid.js'
import { keptOf } from './kept-of.js'
import type { AcquireOptions, CallOptions, Cost, Key, Limiter, Refund } from './limiter.js'
import { type NamedPolicy, namedPolicies, requireName, withOverrides } from './named-policies.js'
import { startPatience } from './patience.js'
import type { Policy } from './policy.js'
import { positiveInteger } from './positive-integer.js'
import { counted, isCounted, restOf } from './receipt.js'
import { requireStore } from './require-store.js'
import { isMisuse } from './spillway-error.js'
import type { Caller, Store, Target } from './store.js'
import { costFor, costOption, storeKeys, targetsOf } from './targets.js'
import { monotonicMs } from './timers.js'
import { neverFits, toAllowed, toDenied, toLook } from './to-decision.js'
import { toReserved } from './to-reserved.js'
import { costNeverFits, waitingLines } from './waiting-lines.js'

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
  readonly prefix?: string | undefined
  /**
   * Where keys are given by policy: the policy whose key carries the slot in a Redis Cluster, so
   * that all of them can be decided in one step. The counts of the other policies are then kept
   * apart for each such key. Default: every key carries its own slot.
   */
  readonly slotBy?: (keyof P & string) | undefined
  /**
   * Told of every decision, and of every one that failed. Nothing waits for it, and what it throws
   * is let go.
   */
  readonly onDecision?: ((event: DecisionEvent<keyof P & string>) => void) | undefined
  /** Told `1` when a caller begins to wait in `acquire`, and `-1` when it has ended. */
  readonly onWaiting?: ((change: 1 | -1) => void) | undefined
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
  if (typeof options !== 'object' || options === null) {
    throw invalid('options', 'must be an object with a store and policies', options)
  }
  const { store, prefix = 'spillway', slotBy, onDecision, onWaiting } = options
  requireStore('store', store)
  requireName('prefix', prefix)
  requireHook('onDecision', onDecision)
  requireHook('onWaiting', onWaiting)
  let policies = namedPolicies<N>(prefix, options.policies)
  const names = policies.map(({ name }) => name)
  if (slotBy !== undefined && !names.includes(slotBy)) {
    throw invalid('slotBy', `must be a policy's name (${names.join(', ')})`, slotBy)
  }
  const lines = waitingLines()

  function policiesOf(call: CallOptions<N> | undefined): readonly NamedPolicy<N>[] {
    const overrides = call?.policies
    return overrides === undefined ? policies : withOverrides(prefix, policies, overrides)
  }

  /** What a shorter policy has counted, a longer one in its place may have to remember. */
  function underPolicyInForce(target: Target, index: number): Target {
    const { head, policy } = policies[index]!
    return target.key.startsWith(head) ? { ...target, policy } : target
  }

  function cameBack(targets: readonly Target[]): void {
    lines.wake(targets.map(({ key }) => key))
  }

  async function decide(
    key: Key<N>,
    cost: Cost<N> = 1,
    call?: CallOptions<N>,
    caller?: Caller,
  ): Promise<Decision<N>> {
    const targets = targetsOf(policiesOf(call), key, cost, slotBy)
    if (targets.some(isHopeless)) return neverFits(names, targets)
    const answer = consumeFitting(store, targets, caller)
    const ruling = 'targets' in answer ? answer : await answer
    if (!ruling.allowed) return toDenied(names, targets, ruling)
    const countedBy = ruling.source === 'assumed' ? null : (ruling.countedBy ?? store)
    const inForce = call?.policies === undefined ? underPolicyInForce : asDecided
    const { targets: rulings } = ruling
    const proof = { limiter, store: countedBy, targets, inForce, cameBack, rulings }
    return toAllowed(names, targets, ruling, { [counted]: proof })
  }

  async function observe(
    hook: (event: DecisionEvent<N>) => void,
    ...request: Parameters<typeof decide>
  ): Promise<Decision<N>> {
    const start = monotonicMs()
    try {
      const decision = await decide(...request)
      const durationMs = monotonicMs() - start
      const { allowed, policy, source } = decision
      const outcome = allowed ? 'allowed' : 'denied'
      tell(hook, { outcome, policy, source, durationMs, decision })
      return decision
    } catch (error) {
      if (!isMisuse(error)) {
        tell(hook, { outcome: 'failed', error, durationMs: monotonicMs() - start })
      }
      throw error
    }
  }

  function consume(key: Key<N>): Promise<Decision<N, number>>
  function consume(key: Key<N>, cost: Cost<N>, call?: CallOptions<N>): Promise<Decision<N>>
  function consume(key: Key<N>, cost?: Cost<N>, call?: CallOptions<N>): Promise<Decision<N>> {
    return told(key, cost, call)
  }

  function told(...request: Parameters<typeof decide>): Promise<Decision<N>> {
    return onDecision ? observe(onDecision, ...request) : decide(...request)
  }

  async function peek(key: Key<N>, call?: CallOptions<N>): Promise<Look<N>> {
    const targets = targetsOf(policiesOf(call), key, 1, slotBy)
    return toLook(names, targets, await store.decide({ mode: 'look', targets }))
  }

  async function refund(decision: Allowed<N>, cost?: Refund<N>): Promise<void> {
    const proof = decision?.receipt?.[counted]
    if (proof?.limiter !== limiter) {
      throw invalid('decision', 'must be one that this limiter allowed', decision)
    }
    if (isByPolicy(cost)) requireKnownNames('cost', cost, names)
    const rest = restOf(proof)
    const costs = names.map((name, i) => {
      const left = rest[i]!.cost
      const back = cost === undefined ? left : refundFor(name, cost)
      if (!isCounted(proof, i)) return 0
      if (back > left) {
        const must = `must be at most the ${left} not yet given back`
        throw invalid(costOption(name, cost), must, back)
      }
      return back
    })
    await giveBack(proof, costs)
  }

  async function reserve(
    key: Key<N>,
    estimate: Cost<N>,
    call?: CallOptions<N>,
  ): Promise<Reservation<N>> {
    const decision = await consume(key, estimate, call)
    return decision.allowed ? toReserved(names, decision, store) : decision
  }

  async function charge(key: Key<N>, cost: Cost<N>, call?: CallOptions<N>): Promise<Outcome<N>> {
    const targets = targetsOf(policiesOf(call), key, cost, slotBy).map(chargeable)
    return toLook(names, targets, await store.decide({ mode: 'charge', targets }))
  }

  async function acquire(key: Key<N>, options: AcquireOptions<N> = {}): Promise<Allowed<N>> {
    const { signal, timeoutMs } = options
    const [own, cost] = [copied(key), copied(options.cost ?? 1)] // they wait, and may be changed
    if (timeoutMs !== undefined) positiveInteger('timeoutMs', timeoutMs)
    if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
      throw invalid('signal', 'must be an AbortSignal', signal)
    }
    const targets = targetsOf(policiesOf(options), own, cost, slotBy)
    const hopeless = targets.findIndex(isHopeless)
    if (hopeless >= 0) throw costNeverFits(names[hopeless]!)
    const keys = targets.map((target) => target.key)
    const turn = { consume: (caller: Caller) => told(own, cost, options, caller), refund }
    const patience = startPatience(signal, timeoutMs)
    if (onWaiting) tell(onWaiting, 1)
    try {
      return await lines.acquire(keys, turn, patience)
    } finally {
      patience.end()
      if (onWaiting) tell(onWaiting, -1)
    }
  }

  function replace(overrides: { readonly [P in N]?: Policy }): void {
    policies = withOverrides(prefix, policies, overrides)
    lines.wake()
  }

  async function reset(key: Key<N>, call?: CallOptions<N>): Promise<void> {
    const keys = storeKeys(policiesOf(call), key, slotBy)
    await store.forget(keys)
    lines.wake(keys)
  }

  const limiter: Limiter<N> = {
    consume,
    peek,
    refund,
    reserve,
    charge,
    acquire,
    replace,
    reset,
  }
  return limiter
}

function copied<T>(value: T): T {
  return isByPolicy(value) ? { ...value } : value
}

/** Under the policies of its own call, which nothing replaces. */
function asDecided(target: Target): Target {
  return target
}

/** Whether no wait can ever make its cost fit, which matters unless it is a shadow. */
function isHopeless(target: Target): boolean {
  return !target.shadow && !fits(target)
}

/** As much of a charge as is kept, and as a shadow takes at once. */
function chargeable(target: Target): Target {
  const { maxCost } = target.policy
  const cost = keptOf(target.policy, target.cost)
  return { ...target, cost: Math.min(cost, maxCost?.value ?? cost) }
}

function refundFor<N extends string>(name: N, cost: Refund<N>): number {
  const isLeftOut = isByPolicy(cost) && valueFor<number | undefined>(cost, name) === undefined
  return isLeftOut ? 0 : costFor(name, cost)
}

function requireHook(option: string, hook: unknown): void {
  if (hook !== undefined && typeof hook !== 'function') {
    throw invalid(option, 'must be a function', hook)
  }
}
