import type { Decision } from './decision.js'
import type { Source } from './store.js'

/**
 * What `onDecision` is told of every `consume`, also of those that `reserve` and `acquire` make. Keys
 * are not told, as they may be personal.
 */
export type DecisionEvent<N extends string> =
  | {
      readonly outcome: 'allowed' | 'denied'
      /** As in the decision: the policy that denied, or has the least left. */
      readonly policy: N
      readonly source: Source
      /** Milliseconds it took, on a monotonic clock. */
      readonly durationMs: number
      readonly decision: Decision<N>
    }
  | {
      readonly outcome: 'failed'
      /** The store's error, as the caller gets it. */
      readonly error: unknown
      readonly durationMs: number
    }

/**
 * Calls a hook that must not harm: what it throws, or its promise rejects with, is let go. A hook
 * that may fail handles its failures itself.
 */
export function tell<E>(hook: (event: E) => unknown, event: E): void {
  try {
    const result = hook(event)
    if (typeof result === 'object' && result !== null) Promise.resolve(result).catch(() => {})
  } catch {}
}
