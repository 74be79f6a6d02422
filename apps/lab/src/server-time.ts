import { randomBytes } from 'node:crypto'
import { createLimiter, type Limiter, type Policy } from '@spillway/core'
import type { RedisLink } from './redis-link.js'

/** Measures one algorithm's time on the server, a round at a time. */
export interface ServerTime {
  /** Measures once more. */
  round(): Promise<void>
  /**
   * Microseconds of the server per decision, in the fastest round, since whatever else the machine
   * does only adds to it; `null` where Redis does not tell.
   */
  readonly us: number | null
}

const atOnce = 256
// A round should be over before the server has to make way for another process.
const leastDecisions = 256

/** How many rounds should be measured: as many as soon add nothing, and fewer where they are long. */
export function roundsFor(limit: number): number {
  return Math.max(5, Math.ceil((20 * leastDecisions) / decisionsFor(limit)))
}

/**
 * Asks for twice the limit of each of many keys, so that about half is denied, many at once, so
 * that calls are gathered, and reads in INFO what the scripts took.
 *
 * Rounds of several algorithms should alternate: then what else the machine does meets all alike.
 */
export function serverTime(redis: RedisLink, policy: Policy): ServerTime {
  const { limit } = policy
  const limiter = createLimiter({ store: redis.newStore(), policies: { api: policy } })
  let fastest = Number.POSITIVE_INFINITY

  return {
    async round() {
      const decisions = decisionsFor(limit)
      const keyCount = Math.ceil(decisions / (2 * limit))
      const run = randomBytes(4).toString('hex')
      const keys = Array.from({ length: keyCount }, (_, i) => `lab:${run}:${i}`)
      // A look writes nothing, but makes Redis know the script.
      await limiter.peek(keys[0]!)
      try {
        const before = scriptUs(await redis.info('commandstats').catch(() => ''))
        for (let asked = 0; asked < decisions; asked += atOnce) {
          await askTogether(limiter, keys, asked, Math.min(atOnce, decisions - asked))
        }
        const after = scriptUs(await redis.info('commandstats').catch(() => ''))
        if (before !== null && after !== null) {
          fastest = Math.min(fastest, (after - before) / decisions)
        }
      } finally {
        await Promise.all(keys.map((key) => limiter.reset(key))).catch(() => {})
      }
    },
    get us() {
      return Number.isFinite(fastest) ? Number(fastest.toFixed(2)) : null
    },
  }
}

function decisionsFor(limit: number): number {
  return Math.max(leastDecisions, 2 * limit)
}

async function askTogether(
  limiter: Limiter<'api'>,
  keys: readonly string[],
  from: number,
  count: number,
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => limiter.consume(keys[(from + i) % keys.length]!)),
  )
}

/** Microseconds that scripts called by their digest have taken so far, as `INFO commandstats` has it. */
export function scriptUs(commandstats: string): number | null {
  const found = /^cmdstat_evalsha:calls=\d+,usec=(\d+)/m.exec(commandstats)
  return found === null ? null : Number(found[1])
}
