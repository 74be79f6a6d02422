import type { CompareRun } from './compare-run.js'
import { machineText } from './machine-text.js'
import type { DriverName } from './settings.js'

/** A comparison as `--json` tells it. */
export interface CompareJson {
  readonly limit: number
  readonly windowMs: number
  readonly store: 'redis' | 'memory'
  readonly driver: DriverName | null
  /** What it ran on, for people: `Redis 7.0.15 through ioredis`. */
  readonly title: string
  readonly machine: string
  readonly algorithms: readonly {
    readonly name: string
    readonly algorithm: string
    readonly options: object
    readonly promised: number
    readonly measured: number
    readonly promisedShort: number
    readonly measuredShort: number
    readonly boundary: number
    readonly bytesPerKey: number | null
    readonly serverUs: number | null
    readonly held: boolean
  }[]
  readonly held: boolean
}

export function compareJson({ settings, session, compared }: CompareRun): CompareJson {
  return {
    limit: settings.limit,
    windowMs: settings.windowMs,
    store: session.kind,
    driver: session.driver,
    title: session.title,
    machine: machineText(),
    algorithms: compared.map(({ policy, admissions: _, ...one }) => ({
      ...one,
      algorithm: policy.algorithm.name,
    })),
    held: compared.every(({ held }) => held),
  }
}
