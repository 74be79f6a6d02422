import { setImmediate as nextTurn } from 'node:timers/promises'
import { type WorstCase, worstCase } from '@spillway/conformance'
import { memoryStore, type Policy } from '@spillway/core'
import { bytesPerKey } from './bytes-per-key.js'
import type { Contender } from './contenders.js'
import { crossBoundary } from './cross-boundary.js'
import { manualClock } from './manual-clock.js'
import type { Progress } from './progress.js'
import { roundsFor, serverTime } from './server-time.js'
import type { Session } from './session.js'

/** What one algorithm promises, and what came of trying to get more out of it. */
export interface Compared {
  readonly name: string
  readonly options: object
  readonly policy: Policy
  /** The most that is promised in any interval as long as the window, and the most that was got. */
  readonly promised: number
  readonly measured: number
  /** The same for a hundredth of the window. */
  readonly promisedShort: number
  readonly measuredShort: number
  /** What got through of one limit right before a boundary of the clock and another right after it. */
  readonly boundary: number
  /** Of Redis, for a key at its fullest; `null` without a Redis. */
  readonly bytesPerKey: number | null
  /** Microseconds of Redis per decision, half of them denials; `null` without a Redis. */
  readonly serverUs: number | null
  /** The worst window there was: what was admitted in it, and when. */
  readonly admissions: WorstCase['admissions']
  /** Whether nothing that was got exceeds what was promised. */
  readonly held: boolean
}

export interface CompareOptions {
  readonly contenders: readonly Contender[]
  readonly limit: number
  readonly windowMs: number
  readonly session: Pick<Session, 'redis' | 'signal'>
  readonly progress: Progress
}

/**
 * Attacks every algorithm on a clock that nobody waits for: across a boundary of the clock, and by
 * a search for the most that any window lets through. On Redis it also measures what each costs.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` when an algorithm refuses this limit or window
 */
export async function compare(options: CompareOptions): Promise<readonly Compared[]> {
  const { limit, windowMs, session, progress } = options
  const { redis, signal } = session
  const entries = options.contenders.map((contender) => ({
    contender,
    policy: contender.policy(limit, windowMs),
  }))
  const doing = async (what: string, i: number): Promise<void> => {
    progress.doing(`${entries[i]!.contender.name}: ${what} (${i + 1} of ${entries.length})`)
    await nextTurn()
    signal.throwIfAborted()
  }

  try {
    const attacked = []
    for (const [i, { contender, policy }] of entries.entries()) {
      await doing('searching for its worst case', i)
      const attacks = await attack(policy)
      const bytes = redis === undefined ? null : await bytesPerKey(redis, policy)
      const of = { name: contender.name, options: contender.options(limit, windowMs), policy }
      attacked.push({ ...of, ...attacks, bytesPerKey: bytes })
    }
    const times =
      redis === undefined ? undefined : entries.map(({ policy }) => serverTime(redis, policy))
    const rounds = roundsFor(limit)
    for (let round = 0; times !== undefined && round < rounds; round++) {
      for (const [i, time] of times.entries()) {
        await doing(`its time on the server, round ${round + 1} of ${rounds}`, i)
        await time.round()
      }
    }
    return attacked.map((one, i) => ({ ...one, serverUs: times?.[i]?.us ?? null }))
  } finally {
    progress.clear()
  }
}

async function attack(policy: Policy) {
  const windowUs = policy.windowMs * 1000
  const shortUs = windowUs / 100
  const worst = worstCase(policy, windowUs)
  const [promised, promisedShort] = [policy.most(windowUs), policy.most(shortUs)]
  const measuredShort = worstCase(policy, shortUs).admitted
  const boundary = await acrossBoundary(policy)
  return {
    promised,
    // Neither attack knows of the other: the worst of both is the worst there was.
    measured: Math.max(worst.admitted, boundary),
    promisedShort,
    measuredShort,
    boundary,
    admissions: worst.admissions,
    held: Math.max(worst.admitted, boundary) <= promised && measuredShort <= promisedShort,
  }
}

async function acrossBoundary(policy: Policy): Promise<number> {
  const { clock, storeClock } = manualClock(1_800_000_000_000_000)
  const { mostInAnyWindow } = await crossBoundary({
    store: memoryStore({ clock }),
    clock: storeClock,
    redis: undefined,
    policy,
    requests: policy.limit,
    progress: { waiting() {}, doing() {}, note() {}, clear() {} },
  })
  return mostInAnyWindow
}
