import type { Colors } from './colors.js'
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
    ? `${bold(green('✓ Held'))}     No key got more than ${grouped(result.promise)} in any ${window}: the most was ${grouped(result.mostInAnyWindow)}.`
    : `${bold(red('✗ Broken'))}   ${grouped(result.brokenKeys)} of ${grouped(keys)} keys got more than ${grouped(result.promise)} in some ${window}: up to ${grouped(result.mostInAnyWindow)}.`
  return [
    `${bold(lessons[algorithm].title)}   ${policy.limit} per ${window} and key   ${dim(`on ${session.title}`)}`,
    dim(
      `${grouped(workers)} workers, ${grouped(keys)} keys, half of the requests for a tenth of them`,
    ),
    '',
    row('Decisions', grouped(result.decisions), `in ${elapsed}`),
    row('Per second', grouped(result.decisionsPerSecond)),
    row('Latency', `${shownMs(result.p50Ms)} ms`, 'half of them took no longer (p50)'),
    row('', `${shownMs(result.p99Ms)} ms`, '99 of 100 took no longer (p99)'),
    row('Admitted', grouped(result.admitted)),
    row('Denied', grouped(result.denied)),
    '',
    found,
    dim(`           Checked: the time of every admitted request, key by key.`),
    ...(algorithm === 'fixed'
      ? [dim(`           A fixed window promises no more than twice its limit in any ${window}.`)]
      : []),
  ].map((line) => (line === '' ? '' : `  ${line}`))
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

function shownMs(ms: number): string {
  return ms.toFixed(ms < 1 ? 3 : ms < 10 ? 2 : 1)
}
