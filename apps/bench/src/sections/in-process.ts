import { gcra } from '@spillway/algo-gcra'
import { createLimiter, denyCache, memoryStore, type Request, type Store } from '@spillway/core'
import { type Bar, judged } from '../bar.js'
import { keysOf } from '../keys-of.js'
import type { Plan, Section } from '../section.js'
import { shownRate, shownSpread } from '../shown.js'
import { type Spread, spreadOf } from '../spread.js'

interface Figures {
  readonly rates: readonly { readonly name: string; readonly perSecond: Spread }[]
  /** Commands, or what would have been, that the deny cache let through to its store. */
  readonly commands: number
  /** Memory of the process that a key of the memory store takes, state and all. */
  readonly bytesPerKey: number
}

/** What needs no Redis: the memory store and the deny cache. One request after another. */
export const inProcess: Section = {
  title: 'In the memory of the process, one request after another',
  async run(plan) {
    const denying = deniesAll()
    const cached = denyCache(denying.store, { maxAgeMs: 3_600_000 })
    const rates = [
      { name: 'memoryStore, GCRA, allowed', perSecond: await rateOf(memoryStore(), 1e6, plan) },
      { name: 'memoryStore, GCRA, denied', perSecond: await rateOf(memoryStore(), 1, plan) },
      { name: 'denyCache, GCRA, through a limiter', perSecond: await rateOf(cached, 1, plan) },
      { name: 'denyCache, GCRA, by itself', perSecond: await refusalsOf(cached, plan) },
    ]
    const commands = denying.asked() - 2 * keyCount // each way has keys of its own
    const bytesPerKey = await memoryPerKey(plan.isQuick ? 1000 : 1_000_000)
    const figures: Figures = { rates, commands, bytesPerKey }
    return {
      figures,
      bars: judged(bars, figures),
      tables: [
        {
          title: 'decisions',
          columns: ['', 'decisions/s', ''],
          rows: rates.map(({ name, perSecond }) => [
            name,
            shownRate(perSecond.median),
            shownSpread(perSecond),
          ]),
        },
        {
          title: '1 million keys of memoryStore',
          columns: ['', 'MB'],
          rows: [['GCRA', Math.round(bytesPerKey).toString()]],
        },
      ],
      charts: [],
    }
  },
}

const keyCount = 1000

async function rateOf(store: Store, limit: number, plan: Plan): Promise<Spread> {
  const policies = { bench: gcra({ limit, window: '1h' }) }
  const limiter = createLimiter({ store, policies })
  const keys = keysOf('memory', keyCount)
  const ask = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await limiter.consume(keys[i % keyCount]!)
  }
  await ask(plan.isQuick ? keyCount : 300_000)
  const rates: number[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const count = plan.isQuick ? keyCount : 200_000
    const start = performance.now()
    await ask(count)
    rates.push((count / (performance.now() - start)) * 1000)
  }
  return spreadOf(rates)
}

/** What the cache alone refuses. It answers at once, without a promise. */
async function refusalsOf(store: Store, plan: Plan): Promise<Spread> {
  const policy = gcra({ limit: 1, window: '1h' })
  const requests = keysOf('alone', keyCount).map(
    (key): Request => ({ mode: 'consume', targets: [{ policy, key, cost: 1 }] }),
  )
  for (const request of requests) await store.decide(request)
  const rates: number[] = []
  for (let round = 0; round <= plan.rounds; round++) {
    const count = plan.isQuick ? keyCount : 500_000
    const start = performance.now()
    for (let i = 0; i < count; i++) void store.decide(requests[i % keyCount]!)
    if (round > 0) rates.push((count / (performance.now() - start)) * 1000)
  }
  return spreadOf(rates)
}

/** A store that denies everything for an hour, and counts how often it was asked. */
function deniesAll(): { readonly store: Store; asked(): number } {
  let asked = 0
  const wait = 3_600_000_000
  const denied = { allowed: false, remaining: 0, wait, reset: wait, receipt: 0 }
  return {
    asked: () => asked,
    store: {
      async decide({ targets }) {
        asked += 1
        return { allowed: false, targets: targets.map(() => denied), source: 'store' }
      },
      async forget() {},
    },
  }
}

async function memoryPerKey(count: number): Promise<number> {
  const store = memoryStore({ maxKeys: count })
  const policies = { bench: gcra({ limit: 100, window: '1h' }) }
  const limiter = createLimiter({ store, policies })
  globalThis.gc?.()
  const before = process.memoryUsage()
  for (let i = 0; i < count; i++) await limiter.consume(`user:${i}`)
  globalThis.gc?.()
  const after = process.memoryUsage()
  await limiter.peek('user:0') // still in use, so nothing of it was collected
  return (after.heapUsed + after.external - before.heapUsed - before.external) / count
}

const bars: readonly Bar<Figures>[] = [
  {
    name: 'memory store, GCRA, allowed, decisions/s',
    bar: { atLeast: 3_000_000 },
    value: ({ rates }) => rates[0]!.perSecond.median,
  },
  {
    name: 'deny cache through a limiter, refusals/s',
    bar: { atLeast: 3_000_000 },
    value: ({ rates }) => rates[2]!.perSecond.median,
  },
  {
    name: 'deny cache by itself, refusals/s',
    bar: { atLeast: 3_000_000 },
    value: ({ rates }) => rates[3]!.perSecond.median,
  },
  {
    name: 'deny cache, commands sent for refusals',
    bar: { atMost: 0 },
    value: ({ commands }) => commands,
  },
]
