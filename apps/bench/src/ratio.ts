import type { Measured } from './rounds.js'
import { type Spread, spreadOf } from './spread.js'

/** Figures that can be compared round by round. */
type Figure = 'decisionsPerSecond' | 'clientUs' | 'serverUs' | 'p50Us' | 'p99Us'

/**
 * How many times another's figure one's is: of rounds that ran one right after the other, so that
 * a machine that was busy for a while has slowed both.
 */
export function ratio(one: Measured, other: Measured, figure: Figure): Spread {
  return spreadOf(one.each.map((round, i) => round[figure] / other.each[i]![figure]))
}
