import { type Bar, judged } from '../bar.js'
import { askEach, keysOf } from '../keys-of.js'
import { ratio } from '../ratio.js'
import { type Contender, interleaved, type Measured } from '../rounds.js'
import type { Mix } from '../scenarios.js'
import type { Plan, Section } from '../section.js'
import { shownRate, shownUs } from '../shown.js'
import type { Subject } from '../subject.js'
import { lessonSliding, lessons } from '../subjects/lessons.js'
import { spillway } from '../subjects/spillway.js'
import { withOpen } from '../with-open.js'
import { withRedis } from '../with-redis.js'

const subjects: readonly Subject[] = [
  ...lessons('ioredis').filter(({ name }) => name === lessonSliding),
  spillway('ioredis', 'slidingWindow'),
  spillway('ioredis', 'compactSlidingWindow'),
]

type MixName = Mix['name']

/** What the logs are like. Allowed requests are spread so thin that no log fills up meanwhile. */
interface Filling {
  readonly limit: number
  readonly mix: MixName
  readonly keys: number
  /** Requests in each log beforehand. */
  readonly filled: number
}

const fillings: readonly Filling[] = [
  { limit: 100, mix: 'allowed', keys: 2000, filled: 20 },
  { limit: 100, mix: 'denied', keys: 200, filled: 100 },
  { limit: 10_000, mix: 'allowed', keys: 25, filled: 4000 },
  { limit: 10_000, mix: 'denied', keys: 4, filled: 10_000 },
]

const concurrencies = [256, 1]

/** One line of the table. */
interface Row {
  readonly subject: string
  readonly limit: number
  readonly mix: MixName
  readonly concurrency: number
  readonly measured: Measured
}

/**
 * The log of a sliding window, full (so that all is denied) and half full (so that it is allowed),
 * beside the script that tutorials teach.
 */
export const logs: Section = {
  title: 'Sliding windows with many requests in them, through ioredis',
  async run(plan) {
    const rows: Row[] = []
    const chosen = plan.isQuick ? fillings.slice(1, 2) : fillings
    for (const filling of chosen) rows.push(...(await measure(filling, plan)))
    return {
      figures: rows.map(({ measured: { each: _, ...of }, ...where }) => ({ ...where, ...of })),
      bars: judged(bars, rows),
      tables: concurrencies.map((concurrency) => ({
        title: `${concurrency} at a time`,
        columns: ['', 'limit', 'nearly all', 'decisions/s', 'client µs', 'server µs'],
        rows: rows
          .filter((row) => row.concurrency === concurrency)
          .map(({ subject, limit, mix, measured }) => [
            subject,
            limit.toLocaleString('en-US'),
            mix,
            shownRate(measured.decisionsPerSecond.median),
            shownUs(measured.clientUs.median),
            shownUs(measured.serverUs.median),
          ]),
      })),
      charts: [],
    }
  },
}

async function measure({ limit, mix, keys: count, filled }: Filling, plan: Plan): Promise<Row[]> {
  return withRedis((redis) =>
    withOpen(subjects, redis.url, { limit, windowMs: 3_600_000 }, async (open) => {
      const contenders = new Map<Subject, Contender>()
      for (const [subject, { decide }] of open) {
        const keys = keysOf(subject.name, plan.isQuick ? 4 : count)
        await askEach(decide, keys, filled)
        contenders.set(subject, { decide, keys })
      }
      const rows: Row[] = []
      for (const concurrency of concurrencies) {
        const all = await interleaved(redis, contenders, concurrency, plan)
        for (const [{ name: subject }, measured] of all) {
          rows.push({ subject, limit, mix, concurrency, measured })
        }
      }
      return rows
    }),
  )
}

function serverTimes(one: string, other: string, limit: number, mix: MixName, concurrency: number) {
  return (rows: readonly Row[]): number | null => {
    const measured = (name: string) =>
      rows.find(
        (row) =>
          row.subject === name &&
          row.limit === limit &&
          row.mix === mix &&
          row.concurrency === concurrency,
      )?.measured
    const [its, others] = [measured(one), measured(other)]
    return its && others ? ratio(its, others, 'serverUs').median : null
  }
}

const bars: readonly Bar<readonly Row[]>[] = fillings.flatMap(({ limit, mix }) => {
  const where = `${limit.toLocaleString('en-US')} a window, ${mix}`
  return [
    {
      name: `slidingWindow against the lesson's script, ${where}, gathered, server µs`,
      bar: { atMost: 1.1 },
      value: serverTimes('slidingWindow', lessonSliding, limit, mix, 256),
    },
    {
      name: `slidingWindow against the lesson's script, ${where}, one by one, server µs`,
      bar: { atMost: 1.5 },
      value: serverTimes('slidingWindow', lessonSliding, limit, mix, 1),
    },
    {
      name: `compactSlidingWindow against slidingWindow, ${where}, gathered, server µs`,
      bar: { atMost: 0.8 },
      value: serverTimes('compactSlidingWindow', 'slidingWindow', limit, mix, 256),
    },
  ]
})
