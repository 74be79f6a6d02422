import type { BoundaryRun } from './boundary-run.js'
import type { WindowCounter } from './read-back.js'
import type { DriverName } from './settings.js'

/** A run across the boundary as `--json` tells it. */
export interface BoundaryJson {
  readonly algorithm: string
  readonly limit: number
  readonly windowMs: number
  /** On each side of the boundary. */
  readonly requests: number
  readonly store: 'redis' | 'memory'
  readonly driver: DriverName | null
  /** The boundary by the store's clock, in ISO 8601. */
  readonly boundary: string
  readonly phases: readonly { allowed: number; denied: number; atMs: number }[]
  readonly admitted: number
  readonly spanMs: number
  readonly mostInAnyWindow: number
  readonly held: boolean
  readonly nextSlotMs: number
  readonly key: string
  readonly counters: readonly WindowCounter[] | null
  readonly logSize: number | null
}

export function boundaryJson({ settings, policy, session, crossing }: BoundaryRun): BoundaryJson {
  return {
    algorithm: policy.algorithm.name,
    limit: policy.limit,
    windowMs: policy.windowMs,
    requests: settings.requests,
    store: session.kind,
    driver: session.driver,
    boundary: new Date(crossing.boundaryUs / 1000).toISOString(),
    phases: crossing.phases.map(({ allowed, denied, atMs }) => ({ allowed, denied, atMs })),
    admitted: crossing.admitted,
    spanMs: crossing.spanMs,
    mostInAnyWindow: crossing.mostInAnyWindow,
    held: crossing.held,
    nextSlotMs: crossing.nextSlotMs,
    key: crossing.readBack.key,
    counters: crossing.readBack.counters,
    logSize: crossing.readBack.logSize,
  }
}
