import type { Policy } from '@spillway/core'
import { type Crossing, crossBoundary } from './cross-boundary.js'
import { lessons } from './lessons.js'
import type { Progress } from './progress.js'
import type { Session } from './session.js'
import type { AlgorithmName, BoundarySettings } from './settings.js'

/** One algorithm's way across the boundary, with all that a report tells of it. */
export interface BoundaryRun {
  readonly algorithm: AlgorithmName
  readonly settings: BoundarySettings
  readonly policy: Policy
  readonly session: Pick<Session, 'kind' | 'driver' | 'title'>
  readonly crossing: Crossing
}

export async function runBoundary(
  algorithm: AlgorithmName,
  settings: BoundarySettings,
  session: Pick<Session, 'kind' | 'driver' | 'title' | 'store' | 'clock' | 'redis'>,
  progress: Progress,
): Promise<BoundaryRun> {
  const policy = lessons[algorithm].policy(settings.limit, settings.windowMs)
  const { requests } = settings
  const crossing = await crossBoundary({ ...session, policy, requests, progress })
  return { algorithm, settings, policy, session, crossing }
}
