import type { BoundaryRun } from './boundary-run.js'
import type { Colors } from './colors.js'
import { durationText } from './duration-text.js'
import { lessons } from './lessons.js'

/** Both runs side by side. */
export function summaryReport(
  runs: readonly BoundaryRun[],
  isAsTaught: boolean,
  colors: Colors,
): string[] {
  const { bold, dim, green, red } = colors
  const { limit, windowMs } = runs[0]!.policy
  const window = durationText(windowMs)
  const first = Math.max(...[...labels(window), ''].map((label) => label.length)) + 3
  const row = (
    label: string,
    cells: readonly string[],
    paint: (text: string, i: number) => string,
  ) =>
    label.padEnd(first) +
    cells
      .map((cell, i) => paint(cell.padEnd(22), i))
      .join('')
      .trimEnd()
  const plain = (text: string): string => text
  const [before, after, span, most, verdict] = labels(window)
  const phase = (i: 0 | 1): string[] =>
    runs.map(({ crossing }) => {
      const { allowed, denied } = crossing.phases[i]
      return `${allowed} allowed, ${denied} denied`
    })
  return [
    row(
      '',
      runs.map(({ algorithm }) => lessons[algorithm].title),
      bold,
    ),
    dim('─'.repeat(first + 2 * 22)),
    row(before, phase(0), plain),
    row(after, phase(1), plain),
    row(
      span,
      runs.map(({ crossing }) => `${crossing.admitted} within ${durationText(crossing.spanMs)}`),
      plain,
    ),
    row(
      most,
      runs.map(({ crossing }) => String(crossing.mostInAnyWindow)),
      plain,
    ),
    row(
      verdict.replace('limit', String(limit)),
      runs.map(({ crossing }) => (crossing.held ? '✓ held' : '✗ broken')),
      (text, i) => (runs[i]!.crossing.held ? green(text) : red(text)),
    ),
    '',
    isAsTaught ? 'Both behave as the lesson says.' : red('This is not what the lesson says.'),
  ].map((line) => (line === '' ? '' : `  ${line}`))
}

function labels(window: string) {
  return [
    'Before the boundary',
    'After the boundary',
    'Admitted',
    `Most in any ${window}`,
    `limit per ${window}`,
  ] as const
}
