import type { Driver, Subject } from '../subject.js'
import { rawSubject } from './raw.js'

export const incr = 'INCR'
export const noOp = 'EVALSHA of an empty script'

/** What a request to Redis costs at least. Nothing here limits anything. */
export function floors(driver: Driver): readonly Subject[] {
  return [
    rawSubject(driver, { name: incr, group: 'floor', allows: undecided }),
    rawSubject(driver, { name: noOp, group: 'floor', script: 'return 1', allows: undecided }),
  ]
}

function undecided(): undefined {}
