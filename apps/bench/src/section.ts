import type { JudgedBar } from './bar.js'
import type { Chart } from './chart.js'
import type { Effort } from './rounds.js'
import type { Table } from './table.js'

/** A part of the benchmark, which runs in a process of its own and on a Redis of its own. */
export interface Section {
  readonly title: string
  run(plan: Plan): Promise<Findings>
}

/** How thoroughly to measure. */
export interface Plan extends Effort {
  /** Only to see that everything runs: the figures mean nothing. */
  readonly isQuick: boolean
}

/** What a section has found, as plain data. */
export interface Findings {
  /** The raw figures, for `--json`. */
  readonly figures: object
  readonly bars: readonly JudgedBar[]
  readonly tables: readonly Table[]
  readonly charts: readonly Chart[]
}
