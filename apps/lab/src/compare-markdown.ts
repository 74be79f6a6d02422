import type { CompareRun } from './compare-run.js'
import { durationText } from './duration-text.js'
import { machineText } from './machine-text.js'

/** The table as Markdown, with what it was measured on. */
export function compareMarkdown({ settings, session, compared }: CompareRun): string[] {
  const { limit, windowMs } = settings
  const window = durationText(windowMs)
  const short = durationText(windowMs / 100)
  const head = [
    `limit ${limit} per ${window}`,
    'boundary attack',
    `any ${window}: promised`,
    'measured',
    `any ${short}: promised`,
    'measured',
    'bytes a key',
    'server µs a decision',
  ]
  const rows = compared.map((one) => [
    `\`${one.name}\``,
    String(one.boundary),
    String(one.promised),
    measured(one.measured, one.promised),
    String(one.promisedShort),
    measured(one.measuredShort, one.promisedShort),
    one.bytesPerKey === null ? '—' : String(one.bytesPerKey),
    one.serverUs === null ? '—' : one.serverUs.toFixed(2),
  ])
  return [...table(head, rows), '', `Measured on ${session.title}, ${machineText()}.`]
}

function measured(value: number, promised: number): string {
  return value > promised ? `**${value}**` : String(value)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]!.length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)]
}
