import type { JudgedBar } from './bar.js'
import type { Colors } from './colors.js'
import type { Machine } from './machine.js'
import type { Report } from './run-section.js'
import { type Table, tableLines } from './table.js'

export function machineLine(machine: Machine): string {
  const { cpu, cores, system, node, redis, on } = machine
  return `${cpu}, ${cores} cores, ${system}, Node ${node}, Redis ${redis} on the same machine, ${on}`
}

/** What people read of one section. */
export function sectionReport({ title, tables }: Report, colors: Colors): string[] {
  return [colors.bold(title), ...tables.flatMap((table) => ['', ...shownTable(table, colors)]), '']
}

function shownTable(table: Table, { dim }: Colors): string[] {
  const [head, ...rows] = tableLines(table)
  return [`  ${table.title}`, dim(`    ${head}`), ...rows.map((row) => `    ${row}`)]
}

/** The bars, and which of them hold. */
export function barsReport(bars: readonly JudgedBar[], colors: Colors): string[] {
  const { bold, dim, green, red } = colors
  const rows = bars.map(({ name, value, bar }) => [
    name,
    value === null ? '?' : shown(value),
    'atLeast' in bar ? `≥ ${shown(bar.atLeast)}` : `≤ ${shown(bar.atMost)}`,
  ])
  const [head, ...lines] = tableLines({ title: '', columns: ['', 'is', 'bar'], rows })
  const held = bars.filter(({ holds }) => holds).length
  return [
    bold(`Bars: ${held} of ${bars.length} hold`),
    '',
    dim(`      ${head}`),
    ...lines.map((line, i) => `    ${bars[i]!.holds ? green('✓') : red('✗')} ${line}`),
    '',
  ]
}

function shown(value: number): string {
  return value >= 1000
    ? Number(value.toPrecision(3)).toLocaleString('en-US')
    : String(Number(value.toFixed(2)))
}
