import { fits } from './consume-fitting.js'
import type { Allowed, Denied, Look, Quota } from './decision.js'
import type { Receipt } from './receipt.js'
import type { Ruling, Target, TargetRuling } from './store.js'

const toMs = (us: number): number => Math.ceil(us / 1000)

// A decision is one literal, here and below: to add a property to an object costs more than to
// decide in memory.

/** Puts a ruling that allowed into the words of a decision. */
export function toAllowed<N extends string>(
  names: readonly N[],
  targets: readonly Target[],
  ruling: Ruling,
  receipt: Receipt,
): Allowed<N> {
  const { policy, policies, delayMs } = told(names, targets, ruling)
  const { limit, remaining, resetAfterMs } = policies[policy]
  const { source } = ruling
  return {
    allowed: true,
    policy,
    limit,
    remaining,
    resetAfterMs,
    delayMs,
    policies,
    source,
    receipt,
  }
}

/** Puts a ruling that denied into the words of a decision. */
export function toDenied<N extends string>(
  names: readonly N[],
  targets: readonly Target[],
  ruling: Ruling,
): Denied<N, number> {
  const { policy, policies, retryAfterMs } = told(names, targets, ruling)
  const { limit, remaining, resetAfterMs } = policies[policy]
  const { source } = ruling
  return { allowed: false, policy, limit, remaining, resetAfterMs, retryAfterMs, policies, source }
}

/** Puts a ruling into the words of a decision of which nothing can be given back. */
export function toLook<N extends string>(
  names: readonly N[],
  targets: readonly Target[],
  ruling: Ruling,
): Look<N> {
  if (!ruling.allowed) return toDenied(names, targets, ruling)
  const { policy, policies, delayMs } = told(names, targets, ruling)
  const { limit, remaining, resetAfterMs } = policies[policy]
  const { source } = ruling
  return { allowed: true, policy, limit, remaining, resetAfterMs, delayMs, policies, source }
}

interface Told<N extends string> {
  /** Whose numbers stand for all. */
  readonly policy: N
  readonly policies: Record<N, Quota>
  readonly delayMs: number
  readonly retryAfterMs: number
}

function told<N extends string>(
  names: readonly N[],
  targets: readonly Target[],
  { allowed, targets: rulings }: Ruling,
): Told<N> {
  const policies = {} as Record<N, Quota>
  let lead: TargetRuling | undefined
  let policy = names[0]! // none leads where all are shadows
  let delay = 0
  for (let i = 0; i < names.length; i++) {
    const own = rulings[i]!
    const { policy: of, shadow = false } = targets[i]!
    policies[names[i]!] = {
      allowed: own.allowed,
      limit: of.limit,
      remaining: own.remaining,
      resetAfterMs: toMs(own.reset),
    }
    if (shadow || (own.allowed && !allowed)) continue
    if (own.allowed && own.wait > delay) delay = own.wait
    if (lead === undefined || leads(own, lead, allowed)) {
      lead = own
      policy = names[i]!
    }
  }
  const retryAfterMs = allowed ? 0 : toMs(lead?.wait ?? 0)
  return { policy, policies, delayMs: toMs(delay), retryAfterMs }
}

function leads(one: TargetRuling, other: TargetRuling, allowed: boolean): boolean {
  return allowed ? one.remaining < other.remaining : one.wait > other.wait
}

/** The denial of a cost that is more than a policy can ever hold. The store was not asked. */
export function neverFits<N extends string>(
  names: readonly N[],
  targets: readonly Target[],
): Denied<N, null> {
  const policies = {} as Record<N, Quota>
  let lead: N | undefined
  for (let i = 0; i < names.length; i++) {
    const { policy, shadow } = targets[i]!
    const allowed = fits(targets[i]!)
    policies[names[i]!] = { allowed, limit: policy.limit, remaining: 0, resetAfterMs: 0 }
    if (!allowed && !shadow) lead ??= names[i]!
  }
  const policy = lead!
  const numbers = policies[policy]
  return { ...numbers, allowed: false, policy, retryAfterMs: null, policies, source: 'assumed' }
}
