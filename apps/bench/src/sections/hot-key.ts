import type { OwnRedis } from '@spillway/testbed'
import { type Bar, judged } from '../bar.js'
import { askEach, keysOf } from '../keys-of.js'
import { ratio } from '../ratio.js'
import { interleaved, type Measured } from '../rounds.js'
import type { Plan, Section } from '../section.js'
import { shownRate, shownUs } from '../shown.js'
import { type AlgorithmName, algorithms, spillway } from '../subjects/spillway.js'
import { withOpen } from '../with-open.js'
import { withRedis } from '../with-redis.js'

const callers = 256

interface Row {
  readonly algorithm: string
  /** Of 1,000 requests of a limit of 500 at once: how many were allowed. */
  readonly allowedOf500: number
  readonly oneKey: Measured
  readonly manyKeys: Measured
}

/** Everybody at once for the same key. */
export const hotKey: Section = {
  title: `${callers} callers of one key, and of ${callers} keys, through ioredis`,
  async run(plan) {
    const names = Object.keys(algorithms) as AlgorithmName[]
    const rows = await withRedis(async (redis) => {
      const all: Row[] = []
      for (const name of names) all.push(await measure(redis, name, plan))
      return all
    })
    return {
      figures: rows.map(
        ({ oneKey: { each: _, ...oneKey }, manyKeys: { each: __, ...manyKeys }, ...row }) => ({
          ...row,
          oneKey,
          manyKeys,
        }),
      ),
      bars: judged(names.flatMap(barsOf), rows),
      tables: [
        {
          title: 'nearly all denied',
          columns: ['', 'one key, decisions/s', 'many', 'one key, server µs', 'many'],
          rows: rows.map(({ algorithm, oneKey, manyKeys }) => [
            algorithm,
            shownRate(oneKey.decisionsPerSecond.median),
            shownRate(manyKeys.decisionsPerSecond.median),
            shownUs(oneKey.serverUs.median),
            shownUs(manyKeys.serverUs.median),
          ]),
        },
      ],
      charts: [],
    }
  },
}

async function measure(redis: OwnRedis, algorithm: AlgorithmName, plan: Plan): Promise<Row> {
  await redis.command('FLUSHALL')
  const subject = spillway('ioredis', algorithm)
  const strict = { limit: 500, windowMs: 3_600_000 }
  const allowedOf500 = await withOpen([subject], redis.url, strict, async (open) => {
    const { decide, allows } = open.get(subject)!
    const asked = Array.from({ length: 1000 }, () => decide('exact'))
    return (await Promise.all(asked)).filter(allows).length
  })
  // Denied: so a log is as long for one key as for each of many.
  return withOpen([subject], redis.url, { ...strict, limit: 100 }, async (open) => {
    const { decide } = open.get(subject)!
    const [one, many] = [keysOf('one', 1), keysOf('many', plan.isQuick ? 8 : callers)]
    await askEach(decide, [...one, ...many], 101)
    const contenders = new Map([
      ['one', { decide, keys: one }],
      ['many', { decide, keys: many }],
    ] as const)
    const all = await interleaved(redis, contenders, callers, plan)
    return { algorithm, allowedOf500, oneKey: all.get('one')!, manyKeys: all.get('many')! }
  })
}

function barsOf(name: AlgorithmName): readonly Bar<readonly Row[]>[] {
  const rowOf = (rows: readonly Row[]): Row => rows.find(({ algorithm }) => algorithm === name)!
  return [
    {
      name: `hot key, ${name}: allowed of 1,000 at once, the limit being 500, at most`,
      bar: { atMost: 500 },
      value: (rows) => rowOf(rows).allowedOf500,
    },
    {
      name: `hot key, ${name}: server µs against ${callers} keys`,
      bar: { atMost: 1.05 },
      value: (rows) => {
        const { oneKey, manyKeys } = rowOf(rows)
        return ratio(oneKey, manyKeys, 'serverUs').median
      },
    },
  ]
}
