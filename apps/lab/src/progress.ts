import type { Colors } from './colors.js'
import { durationText } from './duration-text.js'
import { timeText } from './time-text.js'

/** Tells people on standard error how far it is: standard output is for results. */
export interface Progress {
  /** The wait for a boundary: a countdown on a terminal, one line elsewhere. */
  waiting(leftMs: number, boundaryUs: number): void
  /** What goes on right now: on a terminal only, until the next of these. */
  doing(what: string): void
  /** One line that stays. */
  note(line: string): void
  /** Takes away what does not stay. */
  clear(): void
}

export function progressOn(stream: NodeJS.WriteStream, colors: Colors): Progress {
  let isWaiting = false
  const clear = (): void => {
    if (isWaiting && stream.isTTY) stream.write('\r\u001B[K')
    isWaiting = false
  }
  // A line that wraps could not be taken away.
  const fitting = (text: string, before = 0): string =>
    text.slice(0, Math.max(0, stream.columns - 1 - before))
  return {
    clear,
    doing(what) {
      if (!stream.isTTY) return
      stream.write(`\r\u001B[K${colors.dim(fitting(what))}`)
      isWaiting = true
    },
    note(line) {
      clear()
      stream.write(`${line}\n`)
    },
    waiting(leftMs, boundaryUs) {
      const boundary = `the boundary at ${timeText(boundaryUs)} UTC`
      if (!stream.isTTY) {
        if (!isWaiting)
          stream.write(`Waiting ${durationText(Math.round(leftMs))} for ${boundary} …\n`)
      } else {
        const left = `${(leftMs / 1000).toFixed(1).padStart(5)} s`
        const to = fitting(` to ${boundary}`, left.length)
        stream.write(`\r\u001B[K${colors.bold(left)}${colors.dim(to)}`)
      }
      isWaiting = true
    },
  }
}
