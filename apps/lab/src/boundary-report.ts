import type { BoundaryRun } from './boundary-run.js'
import type { Colors } from './colors.js'
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
  const rule = `${policy.limit} per ${durationText(policy.windowMs)}`
  return [`${bold(lessons[algorithm].title)}   ${rule}   ${dim(`on ${session.title}`)}`]
}

function phaseLines({ crossing }: BoundaryRun, colors: Colors): string[] {
  return crossing.phases.map(({ atMs, allowed, denied }, i) => {
    const when = `${Math.abs(atMs)} ms ${atMs < 0 ? 'before' : 'after'} the boundary`
    const counts = [
      paintIf(allowed > 0, colors.green, `${String(allowed).padStart(5)} allowed`),
      paintIf(denied > 0, colors.red, `${String(denied).padStart(5)} denied`),
    ]
    return `${colors.bold(`Phase ${i + 1}`)}   ${when.padEnd(26)}${counts.join('')}`
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
            `window from ${timeText(boundaryUs - windowUs)}: ${first.allowed}`,
            `window from ${timeText(boundaryUs)}: ${second.allowed}`,
          ]
        : [`inside the last ${durationText(policy.windowMs)}: ${admitted}`],
    paint: { allowed: colors.green, denied: colors.red, frame: colors.dim },
  })
  const each = perMark === 1 ? '' : `, each up to ${perMark} requests`
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
    for (const { windowStartUs, count } of counters) {
      const [from, to] = [windowStartUs, windowStartUs + policy.windowMs * 1000].map(timeText)
      const window = dim(`the window from ${from} to ${to} UTC`)
      lines.push(`            ${windowStartUs}  ${bold(String(count).padStart(4))}   ${window}`)
    }
  } else {
    lines.push(`${bold('Read back')}   ZCARD ${key}`)
    lines.push(
      `            ${bold(String(logSize))}   ${dim('entries in the log, one for each admitted request')}`,
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
  const { limit } = policy
  const window = durationText(policy.windowMs)
  const seen = `${admitted} admitted within ${durationText(spanMs)}`
  if (!held) {
    return [
      `${colors.bold(colors.red('✗ Broken'))}   ${seen}, and the limit is ${limit} per ${window}.`,
      `           No window of the clock held more than ${limit}; a rolling one held ${mostInAnyWindow}.`,
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

function paintIf(condition: boolean, paint: (text: string) => string, text: string): string {
  return condition ? paint(text) : text
}
