/** A burst, as it is drawn. */
export interface Burst {
  /** Milliseconds after the boundary. */
  readonly atMs: number
  readonly allowed: number
  readonly denied: number
}

export interface TimelineOptions {
  readonly bursts: readonly Burst[]
  /** Where the axis has its marks: this many milliseconds before the boundary and after it. */
  readonly leadMs: number
  /** What the boundary is called, above its line. */
  readonly boundary: string
  /** What lies below the axis: one caption for all of it, or one for each side of the boundary. */
  readonly captions: readonly [string] | readonly [string, string]
  /** How parts are coloured; default: not at all. */
  readonly paint?: Partial<Record<'allowed' | 'denied' | 'frame', (text: string) => string>>
}

const highest = 16

/** A mark stands for this many requests, so that no burst is higher than sixteen marks. */
export function requestsPerMark(bursts: readonly Burst[]): number {
  return Math.ceil(Math.max(...bursts.map(({ allowed, denied }) => allowed + denied)) / highest)
}

const width = 71
const middle = (width - 1) / 2

/**
 * Draws bursts along an axis of milliseconds, the boundary in its middle: each burst a column of
 * marks, `●` for what was allowed and `×` for what was denied.
 */
export function timeline(options: TimelineOptions): string[] {
  const { bursts, leadMs, boundary, captions, paint = {} } = options
  const allowed = paint.allowed ?? same
  const denied = paint.denied ?? same
  const frame = paint.frame ?? same

  const reachMs = Math.max(1.6 * leadMs, ...bursts.map(({ atMs }) => 1.1 * Math.abs(atMs)))
  const column = (atMs: number): number => middle + Math.round((atMs / reachMs) * middle)

  const perMark = requestsPerMark(bursts)
  const stacks = new Map<number, string[]>()
  for (const burst of bursts) {
    const stack = stacks.get(column(burst.atMs)) ?? []
    const allowedMarks = Math.ceil(burst.allowed / perMark)
    const deniedMarks = Math.ceil(burst.denied / perMark)
    for (let i = 0; i < allowedMarks; i++) stack.push(allowed('●'))
    for (let i = 0; i < deniedMarks; i++) stack.push(denied('×'))
    stacks.set(column(burst.atMs), stack)
  }
  const height = Math.max(...[...stacks.values()].map((stack) => stack.length))
  const rows = Array.from({ length: height }, (_, i) => {
    const cells = Array<string>(width).fill(' ')
    cells[middle] = frame('│')
    for (const [at, stack] of stacks) cells[at] = stack[height - 1 - i] ?? cells[at]!
    return cells.join('').trimEnd()
  })

  const ticks = [-leadMs, 0, leadMs]
  const axis = Array<string>(width).fill('─')
  for (const tick of ticks) axis[column(tick)] = '┼'
  const labels = ticks.map((tick): Label => [column(tick), tickText(tick)])

  const brackets = Array<string>(width).fill(' ')
  const sides: (readonly [number, number])[] =
    captions.length === 1
      ? [[0, width - 1]]
      : [
          [0, middle - 1],
          [middle + 1, width - 1],
        ]
  sides.forEach(([from, to], i) => {
    const length = to - from - 1
    brackets.splice(from, to - from + 1, ...`└${centred(` ${captions[i]!} `, length, '─')}┘`)
  })

  return [
    frame(placed([[middle, boundary]])),
    ...rows,
    frame(axis.join('')),
    frame(placed(labels)),
    frame(brackets.join('').trimEnd()),
  ]
}

type Label = readonly [column: number, text: string]

/** Texts, each centred on its column. */
function placed(labels: readonly Label[]): string {
  let line = ''
  for (const [at, text] of labels) {
    line = `${line.padEnd(at - Math.floor(text.length / 2))}${text}`
  }
  return line
}

function centred(text: string, length: number, fill: string): string {
  const shown = text.length > length ? `${text.slice(0, length - 1)}…` : text
  const before = Math.floor((length - shown.length) / 2)
  return `${fill.repeat(before)}${shown}`.padEnd(length, fill)
}

function tickText(ms: number): string {
  if (ms === 0) return '0'
  return `${ms < 0 ? '−' : '+'}${Math.abs(ms)} ms`
}

function same(text: string): string {
  return text
}
