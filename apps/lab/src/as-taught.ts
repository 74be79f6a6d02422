import type { BoundaryRun } from './boundary-run.js'

/**
 * Whether a run went as the lesson says: a fixed window starts afresh at the boundary, a sliding
 * one remembers what came before it and never holds more than its limit.
 */
export function asTaught({ algorithm, settings, policy, crossing }: BoundaryRun): boolean {
  const { limit } = policy
  const before = Math.min(settings.requests, limit)
  const after = algorithm === 'fixed' ? before : Math.min(settings.requests, limit - before)
  const [first, second] = crossing.phases
  const held = algorithm === 'sliding' || before + after <= limit
  return first.allowed === before && second.allowed === after && crossing.held === held
}
