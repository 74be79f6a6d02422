import { fits } from './consume-fitting.js'
import type { Denied, Look, Quota } from './decision.js'
import type { Ruling, Target, TargetRuling } from './store.js'

const toMs = (us: number): number => Math.ceil(us / 1000)

/** Puts a ruling into the words of a decision; an allowed one still lacks its receipt. */
export function toDecision<N extends string>(
  names: readonly N[],
  targets: readonly Target[],
  ruling: Ruling,
): Look<N> {
  const { allowed } = ruling
  const policies = {} as Record<N, Quota>
  let lead = -1
  let delay = 0
  for (let i = 0; i < names.length; i++) {
    const own = ruling.targets[i]!
    policies[names[i]!] = {
      allowed: own.allowed,
      limit: targets[i]!.policy.limit,
      remaining: own.remaining,
      resetAfterMs: toMs(own.reset),
    }
    const { shadow = false } = targets[i]!
    if (own.allowed && !shadow && own.wait > delay) delay = own.wait
    const candidate = !shadow && (allowed || !own.allowed)
    if (candidate && (lead < 0 || leads(own, ruling.targets[lead]!, allowed))) lead = i
  }
  const policy = names[Math.max(0, lead)]! // none leads where all are shadows
  const { limit, remaining, resetAfterMs } = policies[policy]
  const { source } = ruling
  return allowed
    ? { allowed, policy, limit, remaining, resetAfterMs, delayMs: toMs(delay), policies, source }
    : {
        allowed,
        policy,
        limit,
        remaining,
        resetAfterMs,
        retryAfterMs: toMs(ruling.targets[lead]!.wait),
        policies,
        source,
      }
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
