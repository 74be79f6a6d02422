import type { Allowed, Decision } from './decision.js'
import type { Patience } from './patience.js'
import { SpillwayError } from './spillway-error.js'
import type { Caller } from './store.js'

/** What a caller in a line does at its turn. */
interface Turn<N extends string> {
  consume(caller: Caller): Promise<Decision<N>>
  refund(decision: Allowed<N>): Promise<void>
}

/** Lines of callers, each served first come, first served. */
export interface WaitingLines {
  /**
   * Waits in the line for these stored keys, then asks again and again until the cost is allowed, then for as long as the
   * decision delays it. A caller whose patience ends gives back what it was granted meanwhile.
   */
  acquire<N extends string>(
    keys: readonly string[],
    turn: Turn<N>,
    patience: Patience,
  ): Promise<Allowed<N>>
  /** Has those ask again who were told to wait for one of these keys; default: for any. */
  wake(keys?: readonly string[]): void
}

export function waitingLines(): WaitingLines {
  /** Settled when the last caller of a line has left it. */
  const ends = new Map<string, Promise<void>>()
  /** Those who were told to wait: how to wake them, and for which keys. */
  const sleepers = new Map<() => void, readonly string[]>()

  /** Joins a line; answers when all callers ahead have left, and how to leave. */
  function join(line: string): { readonly ahead: Promise<void>; leave(): void } {
    const ahead = ends.get(line) ?? Promise.resolve()
    let leave = (): void => {}
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const end = ahead
      .then(() => left)
      .then(() => {
        if (ends.get(line) === end) ends.delete(line)
      })
    ends.set(line, end)
    return { ahead, leave }
  }

  return {
    async acquire(keys, turn, patience) {
      const { ahead, leave } = join(JSON.stringify(keys))
      // The next caller asks only when this one is served, or has given back what it was granted.
      let settled: Promise<void> = Promise.resolve()
      let wake = (): void => {}
      try {
        await patience.until(ahead)
        for (;;) {
          const woken = new Promise<void>((resolve) => {
            wake = resolve
          })
          sleepers.set(wake, keys)
          const asked = turn.consume(patience.caller)
          const decision = await patience.until(asked).catch((reason: unknown) => {
            settled = asked.then((late) => abandon(late, turn), ignore)
            throw reason
          })
          if (decision.allowed) {
            if (patience.bears(decision.delayMs)) leave()
            await patience.sleep(decision.delayMs).catch((reason: unknown) => {
              settled = abandon(decision, turn)
              throw reason
            })
            return decision
          }
          if (decision.retryAfterMs === null) throw costNeverFits(decision.policy)
          await patience.sleep(decision.retryAfterMs, woken)
          sleepers.delete(wake)
        }
      } finally {
        sleepers.delete(wake)
        void settled.then(leave)
      }
    },
    wake(keys) {
      for (const [wake, own] of sleepers) {
        if (keys === undefined || keys.some((key) => own.includes(key))) wake()
      }
    },
  }
}

/** Gives back what was granted to a caller who has gone, and has been told why. */
async function abandon<N extends string>(decision: Decision<N>, turn: Turn<N>): Promise<void> {
  if (decision.allowed) await turn.refund(decision).catch(ignore)
}

function ignore(): void {}

/** Why a caller would wait for ever. */
export function costNeverFits(policy: string): SpillwayError {
  return new SpillwayError(
    'NEVER_FITS',
    `the cost is more than the policy "${policy}" can ever allow at once`,
  )
}
