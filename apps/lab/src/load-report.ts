import type { Colors } from './colors.js'
import { countText } from './count-text.js'
import { durationText } from './duration-text.js'
import { lessons } from './lessons.js'
import type { LoadRun } from './load-json.js'

/** What people read of a load, line by line. */
export function loadReport(
  { settings, policy, session, result }: LoadRun,
  colors: Colors,
): string[] {
  const { bold, dim, green, red } = colors
  const { algorithm, workers, keys } = settings
  const window = durationText(policy.windowMs)
  const row = (label: string, value: string, more = ''): string =>
    `${bold(label.padEnd(11))}${value.padStart(12)}   ${dim(more)}`.trimEnd()
  const elapsed = durationText(result.elapsedMs)
  const found = result.held
    ? `${bold(green('✓ Held'))}     No key got more than ${countText(result.promise)} in any ${window}: the most was ${countText(result.mostInAnyWindow)}.`
    : `${bold(red('✗ Broken'))}   ${countText(result.brokenKeys)} of ${countText(keys)} keys got more than ${countText(result.promise)} in some ${window}: up to ${countText(result.mostInAnyWindow)}.`
  return [
    `${bold(lessons[algorithm].title)}   ${countText(policy.limit)} per ${window} and key   ${dim(`on ${session.title}`)}`,
    dim(
      `${countText(workers)} workers, ${countText(keys)} keys, half of the requests for a tenth of them`,
    ),
    '',
    row('Decisions', countText(result.decisions), `in ${elapsed}`),
    row('Per second', countText(result.decisionsPerSecond)),
    row('Latency', `${shownMs(result.p50Ms)} ms`, 'half of them took no longer (p50)'),
    row('', `${shownMs(result.p99Ms)} ms`, '99 of 100 took no longer (p99)'),
    row('Admitted', countText(result.admitted)),
    row('Denied', countText(result.denied)),
    '',
    found,
    dim(`           Checked: the time of every admitted request, key by key.`),
    ...(algorithm === 'fixed'
      ? [dim(`           A fixed window promises no more than twice its limit in any ${window}.`)]
      : []),
  ].map((line) => (line === '' ? '' : `  ${line}`))
}

function shownMs(ms: number): string {
  return ms.toFixed(ms < 1 ? 3 : ms < 10 ? 2 : 1)
}
