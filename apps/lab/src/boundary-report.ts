import type { BoundaryRun } from './boundary-run.js'
import type { Colors } from './colors.js'
import { countText } from './count-text.js'
import { durationText } from './duration-text.js'
import { lessons } from './lessons.js'
import { timeText } from './time-text.js'
import { requestsPerMark, timeline } from './timeline.js'

/** What people read of a run across the boundary, line by line. */
export function boundaryReport(run: BoundaryRun, colors: Colors): string[] {
  return [
    ...heading(run, colors),
    '',
    ...phaseLines(run, colors),
    '',
    ...drawing(run, colors),
    '',
    ...evidence(run, colors),
    '',
    ...verdict(run, colors),
  ].map((line) => (line === '' ? '' : `  ${line}`))
}

function heading({ algorithm, policy, session }: BoundaryRun, { bold, dim }: Colors): string[] {
  const rule = `${countText(policy.limit)} per ${durationText(policy.windowMs)}`
  return [`${bold(lessons[algorithm].title)}   ${rule}   ${dim(`on ${session.title}`)}`]
}

function phaseLines({ crossing }: BoundaryRun, colors: Colors): string[] {
  const { phases } = crossing
  const whens = phases.map(
    ({ atMs }) => `${Math.abs(atMs)} ms ${atMs < 0 ? 'before' : 'after'} the boundary`,
  )
  const counts = phases.map(({ allowed, denied }) => [countText(allowed), countText(denied)])
  const whenWidth = longest(whens)
  const countWidth = 3 + longest(counts.flat(), 2)
  return phases.map(({ allowed, denied }, i) => {
    const [passed, refused] = counts[i]!.map((text) => text.padStart(countWidth))
    return [
      `${colors.bold(`Phase ${i + 1}`)}   ${whens[i]!.padEnd(whenWidth)}`,
      paintIf(allowed > 0, colors.green, `${passed} allowed`),
      paintIf(denied > 0, colors.red, `${refused} denied`),
    ].join('')
  })
}

function drawing({ algorithm, policy, crossing }: BoundaryRun, colors: Colors): string[] {
  const { boundaryUs, leadMs, phases, admitted } = crossing
  const [first, second] = phases
  const windowUs = policy.windowMs * 1000
  const perMark = requestsPerMark(phases)
  const lines = timeline({
    bursts: phases,
    leadMs,
    boundary: `${timeText(boundaryUs)} UTC`,
    captions:
      algorithm === 'fixed'
        ? [
            `window from ${timeText(boundaryUs - windowUs)}: ${countText(first.allowed)}`,
            `window from ${timeText(boundaryUs)}: ${countText(second.allowed)}`,
          ]
        : [`inside the last ${durationText(policy.windowMs)}: ${countText(admitted)}`],
    paint: { allowed: colors.green, denied: colors.red, frame: colors.dim },
  })
  const each = perMark === 1 ? '' : `, each up to ${countText(perMark)} requests`
  return [...lines, '', `${colors.green('●')} allowed  ${colors.red('×')} denied${each}`]
}

function evidence({ algorithm, policy, session, crossing }: BoundaryRun, colors: Colors): string[] {
  const { bold, dim } = colors
  const { key, counters, logSize } = crossing.readBack
  const lines: string[] = []
  if (session.kind === 'memory') {
    lines.push(`${bold('Read back')}   nothing: the memory store keeps its counts to itself`)
  } else if (counters !== null) {
    lines.push(`${bold('Read back')}   HGETALL ${key}`)
    const width = longest(
      counters.map(({ count }) => countText(count)),
      4,
    )
    for (const { windowStartUs, count } of counters) {
      const [from, to] = [windowStartUs, windowStartUs + policy.windowMs * 1000].map(timeText)
      const window = dim(`the window from ${from} to ${to} UTC`)
      lines.push(
        `            ${windowStartUs}  ${bold(countText(count).padStart(width))}   ${window}`,
      )
    }
  } else if (logSize !== null) {
    lines.push(`${bold('Read back')}   ZCARD ${key}`)
    lines.push(
      `            ${bold(countText(logSize))}   ${dim('entries in the log, one for each admitted request')}`,
    )
  }
  if (algorithm === 'sliding') {
    const { nextSlotMs } = crossing
    const when = nextSlotMs === 0 ? 'now' : `in ${durationText(nextSlotMs)}`
    lines.push(
      `${bold('Next slot')}   ${when}${nextSlotMs === 0 ? '' : dim(', when the oldest request leaves the window')}`,
    )
  }
  return lines
}

function verdict({ algorithm, policy, crossing }: BoundaryRun, colors: Colors): string[] {
  const { admitted, spanMs, mostInAnyWindow, held } = crossing
  const limit = countText(policy.limit)
  const window = durationText(policy.windowMs)
  const seen = `${countText(admitted)} admitted within ${durationText(spanMs)}`
  if (!held) {
    return [
      `${colors.bold(colors.red('✗ Broken'))}   ${seen}, and the limit is ${limit} per ${window}.`,
      `           No window of the clock held more than ${limit}; a rolling one held ${countText(mostInAnyWindow)}.`,
    ]
  }
  const why =
    algorithm === 'sliding' && crossing.phases[1].denied > 0
      ? `What came after the boundary met what came before it.`
      : `Too few requests were sent to break it.`
  return [
    `${colors.bold(colors.green('✓ Held'))}     ${seen}, and no more than ${limit} in any ${window}, wherever it starts.`,
    `           ${why}`,
  ]
}

function longest(texts: readonly string[], least = 0): number {
  return Math.max(least, ...texts.map((text) => text.length))
}

function paintIf(condition: boolean, paint: (text: string) => string, text: string): string {
  return condition ? paint(text) : text
}
