import type { BoundaryRun } from './boundary-run.js'
import type { Colors } from './colors.js'
import { countText } from './count-text.js'
import type { Crossing } from './cross-boundary.js'
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
  const cells = (text: (crossing: Crossing) => string) => runs.map(({ crossing }) => text(crossing))
  const phase = (i: 0 | 1) =>
    cells(({ phases }) => {
      const { allowed, denied } = phases[i]
      return `${countText(allowed)} allowed, ${countText(denied)} denied`
    })
  const verdict = [
    `${countText(limit)} per ${window}`,
    ...cells(({ held }) => (held ? '✓ held' : '✗ broken')),
  ]
  const titles = ['', ...runs.map(({ algorithm }) => lessons[algorithm].title)]
  const facts = [
    ['Before the boundary', ...phase(0)],
    ['After the boundary', ...phase(1)],
    [
      'Admitted',
      ...cells(({ admitted, spanMs }) => `${countText(admitted)} within ${durationText(spanMs)}`),
    ],
    [`Most in any ${window}`, ...cells(({ mostInAnyWindow }) => countText(mostInAnyWindow))],
  ]

  const rows = [titles, ...facts, verdict]
  const widths = titles.map((_, i) => 3 + Math.max(...rows.map((row) => row[i]!.length)))
  const line = (row: readonly string[], paint: (text: string, i: number) => string): string =>
    row
      .map((text, i) => paint(text, i) + ' '.repeat(widths[i]! - text.length))
      .join('')
      .trimEnd()
  return [
    line(titles, (text) => bold(text)),
    dim('─'.repeat(widths.reduce((sum, width) => sum + width, 0))),
    ...facts.map((row) => line(row, (text) => text)),
    line(verdict, (text, i) =>
      i === 0 ? text : runs[i - 1]!.crossing.held ? green(text) : red(text),
    ),
    '',
    isAsTaught ? 'Both behave as the lesson says.' : red('This is not what the lesson says.'),
  ].map((line) => (line === '' ? '' : `  ${line}`))
}
