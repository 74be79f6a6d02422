import { randomBytes } from 'node:crypto'
import { createLimiter, type Policy, type Store } from '@spillway/core'
import { mostInAnyWindow } from './most-in-any-window.js'
import { nextBoundary } from './next-boundary.js'
import { NoResult } from './no-result.js'
import type { Progress } from './progress.js'
import { type ReadBack, readBack } from './read-back.js'
import type { RedisLink } from './redis-link.js'
import type { StoreClock } from './store-clock.js'

/** One burst of requests, sent together. */
interface Phase {
  readonly allowed: number
  readonly denied: number
  /** When it was decided, in milliseconds after the boundary: the first one is negative. */
  readonly atMs: number
}

/** What became of two bursts, one on each side of a window's boundary. */
export interface Crossing {
  /** By the store's clock: microseconds since 1970. */
  readonly boundaryUs: number
  /** How far from the boundary each burst was meant to be. */
  readonly leadMs: number
  readonly phases: readonly [Phase, Phase]
  readonly admitted: number
  /** All that were admitted were so within this many milliseconds. */
  readonly spanMs: number
  /** The most that were admitted in one window, wherever it starts: counted from times, not asked of the limiter. */
  readonly mostInAnyWindow: number
  /** Whether no window held more than the limit. */
  readonly held: boolean
  /** Milliseconds until one more request would be allowed; 0: now. */
  readonly nextSlotMs: number
  readonly readBack: ReadBack
}

export interface CrossingOptions {
  readonly store: Store
  readonly clock: StoreClock
  readonly redis: RedisLink | undefined
  readonly policy: Policy
  /** How many in each burst. */
  readonly requests: number
  readonly progress: Progress
}

const mostTries = 5

/** What one request of a large burst may take on a slow machine. */
const mostUsPerRequest = 50

/**
 * The lesson: sends one burst 200 ms before a boundary of the clock and another 200 ms after it, and
 * counts what gets through. More than 4,000 requests take longer and are sent further from the
 * boundary; within a short window, bursts are no further from it than a quarter of the window.
 *
 * Where a busy machine sends a burst too late to mean anything, the next boundary is tried.
 *
 * @throws NoResult when no try was in time
 */
export async function crossBoundary(options: CrossingOptions): Promise<Crossing> {
  for (let tries = 1; ; tries++) {
    const crossing = await tryToCross(options)
    if (crossing !== undefined) return crossing
    const late = 'This machine was too busy to keep the time'
    if (tries === mostTries) {
      throw new NoResult(
        `${late} in ${tries} tries. A longer --window or fewer requests leave more room.`,
      )
    }
    options.progress.note(`${late}. Again at the next boundary (${tries + 1} of ${mostTries}).`)
  }
}

async function tryToCross(options: CrossingOptions): Promise<Crossing | undefined> {
  const { store, clock, redis, policy, requests, progress } = options
  const { limit, windowMs } = policy
  const windowUs = windowMs * 1000
  const leadUs = Math.min(Math.max(200_000, requests * mostUsPerRequest), Math.floor(windowUs / 4))

  const limiter = createLimiter({ store, policies: { boundary: policy } })
  const key = `lab:${randomBytes(4).toString('hex')}`

  async function burst() {
    const sentUs = await clock.now()
    const decisions = await Promise.all(
      Array.from({ length: requests }, () => limiter.consume(key)),
    )
    const answeredUs = await clock.now()
    const allowed = decisions.filter((decision) => decision.allowed).length
    return { allowed, denied: requests - allowed, sentUs, answeredUs }
  }

  try {
    // A look writes nothing, but lets Redis and this process get to know the script in time.
    await limiter.peek(key)
    const boundaryUs = nextBoundary(await clock.now(), windowUs, leadUs + 300_000)
    await clock.sleepUntil(boundaryUs - leadUs, (leftMs) =>
      progress.waiting(leftMs + leadUs / 1000, boundaryUs),
    )
    const before = await burst()
    await clock.sleepUntil(boundaryUs + leadUs)
    const after = await burst()

    const inTime = before.answeredUs < boundaryUs && after.answeredUs - before.sentUs < windowUs
    if (!inTime) return undefined

    const bursts = [before, after].filter(({ allowed }) => allowed > 0)
    const times = {
      sentUs: bursts.flatMap(({ allowed, sentUs }) => Array<number>(allowed).fill(sentUs)),
      answeredUs: bursts.flatMap(({ allowed, answeredUs }) =>
        Array<number>(allowed).fill(answeredUs),
      ),
    }
    const most = mostInAnyWindow(times, windowUs)
    const look = await limiter.peek(key)
    const phase = ({ allowed, denied, sentUs, answeredUs }: typeof before): Phase => ({
      allowed,
      denied,
      atMs: Math.round(((sentUs + answeredUs) / 2 - boundaryUs) / 1000),
    })
    return {
      boundaryUs,
      leadMs: leadUs / 1000,
      phases: [phase(before), phase(after)],
      admitted: times.sentUs.length,
      spanMs: Math.ceil((times.answeredUs.at(-1)! - times.sentUs[0]!) / 1000),
      mostInAnyWindow: most,
      held: most <= limit,
      nextSlotMs: look.allowed ? 0 : look.retryAfterMs,
      readBack: await readBack(
        redis,
        policy,
        `spillway:boundary:${policy.algorithm.name}:{${key}}`,
      ),
    }
  } finally {
    progress.clear()
    // What cannot be forgotten now, Redis being gone, expires by itself.
    await limiter.reset(key).catch(() => {})
  }
}
