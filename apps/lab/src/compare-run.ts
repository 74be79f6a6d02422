import type { Compared } from './compare.js'
import type { Session } from './session.js'
import type { CompareSettings } from './settings.js'

/** A comparison with all that a report tells of it. */
export interface CompareRun {
  readonly settings: CompareSettings
  readonly session: Pick<Session, 'kind' | 'driver' | 'title'>
  readonly compared: readonly Compared[]
}
