import { gcra } from '@spillway/algo-gcra'
import { slidingWindow } from '@spillway/algo-sliding'
import { compactSlidingWindow } from '@spillway/algo-sliding-compact'
import { createLimiter, type Policy } from '@spillway/core'
import type { OwnRedis } from '@spillway/testbed'
import { connect } from '../connection.js'
import { askEach, keysOf } from '../keys-of.js'
import { interleaved } from '../rounds.js'
import type { Plan, Section } from '../section.js'
import { shownUs } from '../shown.js'
import { spillway } from '../subjects/spillway.js'
import { withOpen } from '../with-open.js'
import { withRedis } from '../with-redis.js'

/** Server time per decision, as something grows. */
interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, serverUs: number])[]
}

/** What a decision costs the server as limits, keys, policies and calls grow. */
export const growth: Section = {
  title: 'What grows: server µs per decision, through ioredis, nearly all denied',
  async run(plan) {
    const charts = await withRedis(async (redis) => [
      { over: 'limit', lines: await overLimits(redis, plan) },
      { over: 'policies', lines: await overPolicies(redis, plan) },
      { over: 'at a time (32 to a call)', lines: await overConcurrency(redis, plan) },
      { over: 'keys', lines: await overKeys(redis, plan) },
    ])
    return {
      figures: charts,
      bars: [],
      tables: charts.map(({ over, lines }) => ({
        title: `over ${over}`,
        columns: ['', ...lines[0]!.points.map(([x]) => x.toLocaleString('en-US'))],
        rows: lines.map(({ name, points }) => [name, ...points.map(([, us]) => shownUs(us))]),
      })),
      charts: charts.map(({ over, lines }) => ({
        kind: 'lines' as const,
        title: `Over ${over}`,
        unit: 'server µs per decision',
        over,
        lines,
      })),
    }
  },
}

const limits = [10, 100, 1000, 10_000, 100_000]
const callers = 256
/** One request each, so that all further ones are denied. */
const strict = { limit: 1, windowMs: 3_600_000 }

/** Full logs: a few keys, filled by costs of up to 1,000 at once. */
async function overLimits(redis: OwnRedis, plan: Plan): Promise<Series[]> {
  const rules = { gcra, slidingWindow, compactSlidingWindow }
  const series: Series[] = []
  for (const [name, rule] of Object.entries(rules)) {
    const points: (readonly [number, number])[] = []
    for (const limit of plan.isQuick ? limits.slice(0, 2) : limits) {
      const policy = rule({ limit, window: '1h' })
      points.push([limit, await costOf(redis, { bench: policy }, limit, plan)])
    }
    series.push({ name, points })
  }
  return series
}

async function overPolicies(redis: OwnRedis, plan: Plan): Promise<Series[]> {
  const points: (readonly [number, number])[] = []
  for (const count of plan.isQuick ? [1, 8] : [1, 2, 3, 4, 6, 8]) {
    const policies = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`p${i}`, gcra({ limit: 10, window: '1h' })]),
    )
    points.push([count, await costOf(redis, policies, 10, plan)])
  }
  return [{ name: 'gcra', points }]
}

/** Server time per decision once every key has spent its limit. */
async function costOf(
  redis: OwnRedis,
  policies: Readonly<Record<string, Policy>>,
  limit: number,
  plan: Plan,
): Promise<number> {
  await redis.command('FLUSHALL')
  const connection = await connect('ioredis', redis.url)
  try {
    const limiter = createLimiter({ store: connection.store(), policies })
    const keys = keysOf('growth', limit > 1000 ? 4 : 64)
    const cost = Math.min(limit, 1000)
    for (let spent = 0; spent < limit; spent += cost) {
      await Promise.all(keys.map((key) => limiter.consume(key, cost)))
    }
    return await serverUs(redis, (key) => limiter.consume(key), keys, callers, plan)
  } finally {
    connection.close()
  }
}

async function overKeys(redis: OwnRedis, plan: Plan): Promise<Series[]> {
  const all = keysOf('key', plan.isQuick ? 1000 : 1_000_000)
  const points: (readonly [number, number])[] = []
  await redis.command('FLUSHALL')
  const subject = spillway('ioredis', 'gcra')
  await withOpen([subject], redis.url, strict, async (open) => {
    const { decide } = open.get(subject)!
    let known = 0
    for (let count = 1; count <= all.length; count *= 10) {
      await askEach(decide, all.slice(known, count), 1)
      known = count
      points.push([count, await serverUs(redis, decide, scattered(all, count), callers, plan)])
    }
  })
  return [{ name: 'gcra', points }]
}

/** Up to 100,000 of the first keys, in no order. */
function scattered(keys: readonly string[], count: number): readonly string[] {
  return Array.from({ length: Math.min(count, 100_000) }, (_, i) => keys[(i * 7919) % count]!)
}

async function overConcurrency(redis: OwnRedis, plan: Plan): Promise<Series[]> {
  const points: (readonly [number, number])[] = []
  const subject = spillway('ioredis', 'gcra')
  await withOpen([subject], redis.url, strict, async (open) => {
    const { decide } = open.get(subject)!
    const keys = keysOf('key', 1000)
    await askEach(decide, keys, 2)
    for (const count of plan.isQuick ? [1, 64] : [1, 2, 4, 8, 16, 32, 64, 256, 1024]) {
      points.push([count, await serverUs(redis, decide, keys, count, plan)])
    }
  })
  return [{ name: 'gcra', points }]
}

async function serverUs(
  redis: OwnRedis,
  decide: (key: string) => Promise<unknown>,
  keys: readonly string[],
  concurrency: number,
  plan: Plan,
): Promise<number> {
  const contenders = new Map([['one', { decide, keys }]])
  const all = await interleaved(redis, contenders, concurrency, {
    ...plan,
    rounds: Math.min(plan.rounds, 3),
  })
  return all.get('one')!.serverUs.median
}
