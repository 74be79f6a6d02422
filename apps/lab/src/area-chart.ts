/** A line across a chart, and what it is called at its end. */
interface ChartLine {
  readonly value: number
  readonly label: string
}

export interface AreaChartOptions {
  /** One for each column. */
  readonly values: readonly number[]
  /** The value at the upper edge. */
  readonly highest: number
  /** How many lines of text the values get. */
  readonly rows: number
  readonly lines: readonly ChartLine[]
  /** What stands below the axis: one text at its left end, one in its middle, one at its right end. */
  readonly ticks: readonly [string, string, string]
  /** How parts are coloured; default: not at all. */
  readonly paint?: Partial<Record<'area' | 'line' | 'frame', (text: string) => string>>
}

const blocks = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Draws values as an area of blocks over an axis, with lines across where they are not covered. */
export function areaChart(options: AreaChartOptions): readonly string[] {
  const { values, highest, rows, lines, ticks, paint = {} } = options
  const { area = same, line = same, frame = same } = paint
  const perRow = highest / rows
  const margin = Math.max(...lines.map(({ value }) => String(value).length))

  const drawn = Array.from({ length: rows }, (_, i) => {
    const row = rows - 1 - i
    const here = lines.filter(({ value }) => Math.min(rows, Math.ceil(value / perRow)) - 1 === row)
    const [across] = here
    const empty = across === undefined ? ' ' : dash(across.value / perRow - row)
    const cells = values.map((value) => {
      const eighths = Math.min(8, Math.max(0, Math.round((value / perRow - row) * 8)))
      return eighths === 0 ? line(empty) : area(blocks[eighths]!)
    })
    const left = `${(across === undefined ? '' : String(across.value)).padStart(margin)} ${across === undefined ? '│' : '┤'}`
    const right = here.map(({ label }) => label).join(' ')
    return `${frame(left)}${cells.join('')}${right === '' ? '' : ` ${line(right)}`}`.trimEnd()
  })

  const [first, middle, last] = ticks
  const width = values.length
  const half = Math.max(first.length + 1, Math.round((width - middle.length) / 2))
  const below = `${first.padEnd(half)}${middle}`.padEnd(width - last.length) + last
  return [
    ...drawn,
    frame(`${'0'.padStart(margin)} └${'─'.repeat(width)}`),
    frame(`${' '.repeat(margin + 2)}${below}`),
  ]
}

/** A dash at about this part of a line's height. */
function dash(height: number): string {
  return height > 0.75 ? '▔' : height > 0.3 ? '╌' : '▁'
}

function same(text: string): string {
  return text
}
