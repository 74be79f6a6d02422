import type { Policy } from '@spillway/core'
import type { LoadResult } from './run-load.js'
import type { Session } from './session.js'
import type { DriverName, LoadSettings } from './settings.js'

/** A load, with all that a report tells of it. */
export interface LoadRun {
  readonly settings: LoadSettings
  readonly policy: Policy
  readonly session: Pick<Session, 'kind' | 'driver' | 'title'>
  readonly result: LoadResult
}

/** A load as `--json` tells it. */
export interface LoadJson extends LoadResult {
  readonly algorithm: string
  readonly limit: number
  readonly windowMs: number
  readonly store: 'redis' | 'memory'
  readonly driver: DriverName | null
  readonly workers: number
  readonly keys: number
}

export function loadJson({ settings, policy, session, result }: LoadRun): LoadJson {
  const document: LoadJson = {
    algorithm: policy.algorithm.name,
    limit: policy.limit,
    windowMs: policy.windowMs,
    store: session.kind,
    driver: session.driver,
    workers: settings.workers,
    keys: settings.keys,
    ...result,
  }
  return document
}
