import type { Replay } from '@spillway/conformance'

/** How to try a failing case again, as the message of its failure says. */
export function replayOf(message: string): Replay {
  const [, replay] = /law\.check\(subject, (.*)\)$/.exec(message) ?? []
  if (replay === undefined) throw new Error(`this does not say how to try it again: ${message}`)
  return JSON.parse(replay)
}
