import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLimiter, type Policy } from '@spillway/core'
import { latencyHistogram } from './latency-histogram.js'
import { localClock } from './local-clock.js'
import { mostInAnyWindow } from './most-in-any-window.js'
import { NoResult } from './no-result.js'
import type { Session } from './session.js'
import { measureOffset, type Offset } from './store-clock.js'

/** What came of a load. */
export interface LoadResult {
  readonly decisions: number
  readonly decisionsPerSecond: number
  readonly elapsedMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly admitted: number
  readonly denied: number
  /** The most that may be admitted to one key in one window: what the policy promises. */
  readonly promise: number
  /** The most that were certainly admitted to one key in one window, wherever it starts. */
  readonly mostInAnyWindow: number
  /** How many keys got more than was promised. */
  readonly brokenKeys: number
  readonly held: boolean
  /** By how much the check had to shorten its window, since two clocks do not run quite alike. */
  readonly clockDriftMs: number
}

export interface LoadOptions {
  readonly session: Session
  readonly policy: Policy
  readonly workers: number
  readonly keys: number
  readonly seconds: number
  readonly requests: number | undefined
  onTick(elapsedMs: number, decisions: number): void
}

/**
 * Lets workers ask for as much as they can, each for one request after another, and checks every
 * admitted one's time against the policy's promise, key by key.
 *
 * Times are those between which a request was decided, by this process's clock, while Redis decides
 * by its own: how far the two drifted apart during the run is measured, and the check's window is
 * shorter by that much. So it never reports a violation that was none.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { session, policy, workers, seconds, requests = Number.POSITIVE_INFINITY } = options
  const { signal, store, clock } = session
  const limiter = createLimiter({ store, policies: { load: policy } })
  const run = randomBytes(4).toString('hex')
  const users = Array.from({ length: options.keys }, (_, i) => ({
    key: `lab:${run}:${i}`,
    sentUs: [] as number[],
    answeredUs: [] as number[],
  }))
  const latencies = latencyHistogram()
  let asked = 0
  let decided = 0
  let failed = false

  try {
    const offsetBefore = await measureOffset(clock.now)
    const startUs = localClock()
    const endUs = startUs + seconds * 1_000_000
    let turnUs = startUs

    async function work(): Promise<void> {
      while (!failed && !signal.aborted && asked < requests) {
        const user = users[nextUser(asked++, users.length)]!
        const sentUs = localClock()
        if (sentUs >= endUs) return
        const { allowed } = await limiter.consume(user.key)
        const answeredUs = localClock()
        decided += 1
        latencies.add(answeredUs - sentUs)
        if (allowed) {
          user.sentUs.push(sentUs)
          user.answeredUs.push(answeredUs)
        }
        // The memory store answers without leaving this turn of the event loop, and timers need one.
        if (answeredUs - turnUs > 10_000) {
          await nextTurn()
          turnUs = localClock()
        }
      }
    }

    const ticking = setInterval(() => options.onTick((localClock() - startUs) / 1000, decided), 100)
    try {
      await Promise.all(
        Array.from({ length: workers }, () =>
          work().catch((error: unknown) => {
            failed = true
            throw error
          }),
        ),
      )
    } finally {
      clearInterval(ticking)
    }
    signal.throwIfAborted()
    const elapsedUs = localClock() - startUs
    options.onTick(elapsedUs / 1000, decided)

    const offsetAfter = await measureOffset(clock.now)
    const driftUs = session.kind === 'memory' ? 0 : driftBetween(offsetBefore, offsetAfter)
    const windowUs = policy.windowMs * 1000
    if (driftUs > windowUs / 4) {
      const ms = Math.round(driftUs / 1000)
      throw new NoResult(
        `The clocks of Redis and this process moved apart by up to ${ms} ms, too much to check.`,
      )
    }
    const promise = policy.most(windowUs)
    const most = users.map((user) => mostInAnyWindow(user, windowUs - driftUs))
    const admitted = users.reduce((sum, { sentUs }) => sum + sentUs.length, 0)
    const brokenKeys = most.filter((count) => count > promise).length
    return {
      decisions: decided,
      decisionsPerSecond: Math.round(decided / (elapsedUs / 1_000_000)),
      elapsedMs: Math.round(elapsedUs / 1000),
      p50Ms: latencies.quantile(0.5) / 1000,
      p99Ms: latencies.quantile(0.99) / 1000,
      admitted,
      denied: decided - admitted,
      promise,
      mostInAnyWindow: most.reduce((one, other) => Math.max(one, other), 0),
      brokenKeys,
      held: brokenKeys === 0,
      clockDriftMs: driftUs / 1000,
    }
  } finally {
    // What cannot be forgotten now, Redis being gone, expires by itself.
    await Promise.all(users.map(({ key }) => limiter.reset(key))).catch(() => {})
  }
}

/**
 * Who asks next. Half of all requests come from the first tenth of the users, so that some run into
 * their limit even where Redis is slow.
 */
function nextUser(asked: number, users: number): number {
  const turn = Math.floor(asked / 2)
  return turn % (asked % 2 === 0 ? users : Math.ceil(users / 10))
}

/** The most by which two clocks can have moved against each other between two measurements. */
function driftBetween(before: Offset, after: Offset): number {
  return Math.abs(after.us - before.us) + before.errorUs + after.errorUs
}
