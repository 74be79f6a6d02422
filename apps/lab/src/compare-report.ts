import { areaChart } from './area-chart.js'
import type { Colors } from './colors.js'
import type { Compared } from './compare.js'
import type { CompareRun } from './compare-run.js'
import { countText } from './count-text.js'
import { durationText } from './duration-text.js'
import { highestSums, rollingSum } from './rolling-sum.js'

const chartWidth = 37
const columns = 20

/** What people read of a comparison, line by line. */
export function compareReport(run: CompareRun, colors: Colors): string[] {
  const { bold, dim } = colors
  const { settings, session, compared } = run
  const rule = `${countText(settings.limit)} per ${durationText(settings.windowMs)}`
  return [
    `${bold('Every algorithm at its worst')}   ${rule}   ${dim(`on ${session.title}`)}`,
    '',
    ...table(run, colors),
    '',
    ...notes(run).map(dim),
    '',
    ...charts(run, colors),
    ...verdict(compared, colors),
  ].map((line) => (line === '' ? '' : `  ${line}`))
}

// Eighty columns, indented by two; more where a count is long.
const least = [21, 8, 9, 9, 9, 9, 7, 6]

function table({ settings, compared }: CompareRun, { bold, dim, green, red }: Colors): string[] {
  const window = durationText(settings.windowMs)
  const short = durationText(settings.windowMs / 100)
  const cells = compared.map((one) => [
    one.name,
    String(one.boundary),
    String(one.promised),
    String(one.measured),
    String(one.promisedShort),
    String(one.measuredShort),
    one.bytesPerKey === null ? '—' : String(one.bytesPerKey),
    one.serverUs === null ? '—' : one.serverUs.toFixed(2),
  ])
  const widths = least.map((width, i) => Math.max(width, ...cells.map((row) => row[i]!.length + 1)))
  const padded = (row: readonly string[]): string[] =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[i]!)))
  const over = (text: string, i: number): string => text.padStart(widths[i]! + widths[i + 1]!)
  const found = (measured: number, promised: number) => (measured > promised ? red : green)
  return [
    [
      ...padded(['', 'boundary']),
      over(`in any ${window}`, 2),
      over(`in any ${short}`, 4),
      'bytes'.padStart(widths[6]!),
    ].join(''),
    padded(['', 'attack', 'promised', 'measured', 'promised', 'measured', 'a key', 'µs']).join(''),
    dim('─'.repeat(widths.reduce((sum, width) => sum + width, 0))),
    ...compared.map((one, i) => {
      const [name, boundary, promised, measured, promisedShort, measuredShort, ...costs] = padded(
        cells[i]!,
      )
      const paint = found(one.measured, one.promised)
      const paintShort = found(one.measuredShort, one.promisedShort)
      return [
        ...[bold(name!), boundary, promised, paint(measured!)],
        ...[promisedShort, paintShort(measuredShort!), ...costs],
      ].join('')
    }),
  ]
}

function notes({ settings, session }: CompareRun): string[] {
  const limit = countText(settings.limit)
  return [
    `Boundary attack: ${limit} right before a boundary of the clock, ${limit} right after it.`,
    'Measured: the most that this, or a search for the worst case, got through.',
    ...(session.kind === 'redis'
      ? [
          'Bytes: of a key at its fullest, by MEMORY USAGE.',
          'µs: time of Redis per decision, half of them denials, in gathered calls.',
        ]
      : ['Bytes and server time are measured on Redis only; this was the memory store.']),
  ]
}

function charts({ settings, compared }: CompareRun, colors: Colors): string[] {
  const { bold, dim } = colors
  const window = durationText(settings.windowMs)
  const highest = Math.max(
    ...compared.map(({ promised, measured }) => Math.max(promised, measured)),
  )
  const drawn = compared.map((one) => chart(one, highest, colors))
  const lines = [
    `${bold(`Admitted in the last ${window}`)}, at every moment of the worst window that was found`,
    '',
  ]
  for (let i = 0; i < drawn.length; i += 2) {
    const [left, right] = [drawn[i]!, drawn[i + 1] ?? []]
    for (let row = 0; row < left.length; row++) {
      const { text, shown } = left[row]!
      const gap = ' '.repeat(Math.max(2, chartWidth + 2 - shown))
      lines.push(right[row] === undefined ? text : `${text}${gap}${right[row]!.text}`)
    }
    lines.push('')
  }
  return [...lines, ...(compared.length === 0 ? [dim('nothing')] : [])]
}

/** A line, and how wide it is without its colours. */
interface Drawn {
  readonly text: string
  readonly shown: number
}

function chart(one: Compared, highest: number, colors: Colors): readonly Drawn[] {
  const { policy, promised, measured } = one
  const windowUs = policy.windowMs * 1000
  const steps = rollingSum(one.admissions, windowUs)
  const lines =
    promised === policy.limit
      ? [{ value: promised, label: 'limit=promise' }]
      : [
          { value: policy.limit, label: 'limit' },
          { value: promised, label: 'promise' },
        ]
  const options = {
    values: highestSums(steps, 0, 2.2 * windowUs, columns),
    highest,
    rows: 5,
    lines,
    ticks: ['0', durationText(policy.windowMs), durationText(2 * policy.windowMs)],
  } as const
  const paint = {
    area: one.held ? colors.cyan : colors.red,
    line: colors.yellow,
    frame: colors.dim,
  }
  const title = `${one.name}: ${measured} of ${promised}`
  const plain = [title, ...areaChart(options)]
  const painted = [colors.bold(title), ...areaChart({ ...options, paint })]
  return painted.map((text, i) => ({ text, shown: plain[i]!.length }))
}

function verdict(compared: readonly Compared[], { bold, green, red }: Colors): string[] {
  const broken = compared.filter(({ held }) => !held).map(({ name }) => name)
  return broken.length === 0
    ? [`${bold(green('✓ Held'))}     No attack got more than was promised.`]
    : [`${bold(red('✗ Broken'))}   More than was promised got through: ${broken.join(', ')}.`]
}
