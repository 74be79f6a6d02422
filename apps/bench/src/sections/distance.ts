import { startProxy } from '@spillway/testbed'
import { type Bar, judged } from '../bar.js'
import { askEach, keysOf } from '../keys-of.js'
import { ratio } from '../ratio.js'
import { type Contender, interleaved, type Measured } from '../rounds.js'
import { mixes } from '../scenarios.js'
import type { Section } from '../section.js'
import { shownRate, shownUs } from '../shown.js'
import type { Subject } from '../subject.js'
import { floors, noOp } from '../subjects/floors.js'
import { spillway } from '../subjects/spillway.js'
import { withOpen } from '../with-open.js'
import { withRedis } from '../with-redis.js'

const delayMs = 4
const concurrency = 64

/** Whether gathering costs anything where the server is not next door. */
export const distance: Section = {
  title: `With ${delayMs} ms between client and server, through ioredis, ${concurrency} at a time`,
  async run(plan) {
    const [mix] = mixes
    const all = await withRedis(async (redis) => {
      const proxy = await startProxy(redis)
      try {
        const subjects = [...floors('ioredis'), spillway('ioredis', 'gcra')]
        return await withOpen(subjects, proxy.url, mix!.limit, async (open) => {
          const contenders = new Map<Subject, Contender>()
          for (const [subject, { decide }] of open) {
            const keys = keysOf(subject.name, plan.isQuick ? 50 : 1000)
            await askEach(decide, keys, plan.isQuick ? 1 : 5)
            contenders.set(subject, { decide, keys })
          }
          proxy.delayMs = delayMs
          const roundMs = plan.isQuick ? 20 : 300
          return interleaved(redis, contenders, concurrency, { ...plan, roundMs })
        })
      } finally {
        await proxy.stop()
      }
    })
    const rows = [...all].map(([{ name: subject }, measured]) => ({ subject, measured }))
    return {
      figures: rows.map(({ subject, measured: { each: _, ...of } }) => ({ subject, ...of })),
      bars: judged(bars, new Map(rows.map((row) => [row.subject, row.measured]))),
      tables: [
        {
          title: `nearly all ${mix!.name}`,
          columns: ['', 'decisions/s', 'p50 µs', 'p99 µs'],
          rows: rows.map(({ subject, measured }) => [
            subject,
            shownRate(measured.decisionsPerSecond.median),
            shownUs(measured.p50Us.median),
            shownUs(measured.p99Us.median),
          ]),
        },
      ],
      charts: [],
    }
  },
}

const bars: readonly Bar<ReadonlyMap<string, Measured>>[] = [
  {
    name: `with ${delayMs} ms in between: GCRA against an EVALSHA per decision, p50`,
    bar: { atMost: 1.05 },
    value: (of) => ratio(of.get('gcra')!, of.get(noOp)!, 'p50Us').median,
  },
]
