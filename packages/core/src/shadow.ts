import type { Policy } from './policy.js'

/**
 * Makes a policy that is decided, counted and reported, but never enforced: to learn what a limit
 * would do before it does it. Its own numbers stand in `decision.policies`.
 */
export function shadow(policy: Policy): Policy {
  return { ...policy, shadow: true }
}
