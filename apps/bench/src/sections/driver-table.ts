import { type Bar, judged } from '../bar.js'
import { askEach, keysOf } from '../keys-of.js'
import { ratio } from '../ratio.js'
import { type Contender, interleaved, type Measured } from '../rounds.js'
import { concurrencies, type Mix, mixes } from '../scenarios.js'
import type { Plan, Section } from '../section.js'
import { shownRate, shownSpread, shownUs } from '../shown.js'
import type { Driver, OpenSubject, Subject } from '../subject.js'
import { fastifyRateLimit } from '../subjects/fastify-rate-limit.js'
import { floors, incr, noOp } from '../subjects/floors.js'
import { lessonFixed, lessons } from '../subjects/lessons.js'
import { rateLimitRedis } from '../subjects/rate-limit-redis.js'
import { flexible, rateLimiterFlexible } from '../subjects/rate-limiter-flexible.js'
import { redisGcra } from '../subjects/redis-gcra.js'
import { spillway } from '../subjects/spillway.js'
import { withOpen } from '../with-open.js'
import { withRedis } from '../with-redis.js'

type MixName = Mix['name']

/** One line of the table. */
interface Row {
  readonly subject: Subject
  readonly mix: MixName
  readonly concurrency: number
  readonly measured: Measured
}

function subjectsOf(driver: Driver): readonly Subject[] {
  return [
    ...floors(driver),
    ...lessons(driver),
    rateLimiterFlexible(driver),
    rateLimitRedis(driver),
    ...[fastifyRateLimit, redisGcra].filter((peer) => peer.driver === driver),
    spillway(driver, 'gcra'),
    spillway(driver, 'fixedWindow'),
    spillway(driver, 'slidingWindow'),
    spillway(driver, 'compactSlidingWindow'),
  ]
}

/** Everything that decides through one driver, beside what Redis costs at least. */
function driverTable(driver: Driver, bars: readonly Bar<DriverFigures>[]): Section {
  return {
    title: `Through ${driver}`,
    async run(plan) {
      const rows: Row[] = []
      for (const mix of mixes) rows.push(...(await measureMix(driver, mix, plan)))
      return {
        figures: rows.map(
          ({ subject: { name, group }, measured: { each: _, ...of }, ...where }) => ({
            subject: name,
            group,
            driver,
            ...where,
            ...of,
          }),
        ),
        bars: judged(bars, figuresOf(rows)),
        tables: mixes.flatMap((mix) =>
          concurrencies.map((concurrency) => tableOf(rows, mix, concurrency)),
        ),
        charts: mixes.map((mix) => ({
          kind: 'bars' as const,
          title: `${driver}, ${mix.name}, 256 at a time`,
          unit: 'decisions/s',
          bars: rowsOf(rows, mix.name, 256).map(({ subject, measured }) => ({
            name: subject.name,
            value: measured.decisionsPerSecond.median,
          })),
        })),
      }
    },
  }
}

async function measureMix(driver: Driver, mix: Mix, plan: Plan): Promise<Row[]> {
  return withRedis((redis) =>
    withOpen(subjectsOf(driver), redis.url, mix.limit, async (open) => {
      const contenders = new Map<Subject, Contender>()
      for (const [subject, one] of open) {
        const keys = keysOf(subject.name, plan.isQuick ? 50 : mix.keys)
        await askEach(one.decide, keys, mix.before)
        await requireMix(one, keys[0]!, mix)
        contenders.set(subject, { decide: one.decide, keys })
      }
      const rows: Row[] = []
      // The most at a time first: that warms the code up soonest.
      for (const concurrency of concurrencies.toReversed()) {
        const measured = await interleaved(redis, contenders, concurrency, plan)
        for (const [subject, its] of measured) {
          rows.push({ subject, mix: mix.name, concurrency, measured: its })
        }
      }
      return rows
    }),
  )
}

/** Makes sure that a key is where the mix wants it. */
async function requireMix(subject: OpenSubject, key: string, mix: Mix): Promise<void> {
  const allowed = subject.allows(await subject.decide(key))
  if (allowed !== undefined && allowed !== (mix.name === 'allowed')) {
    throw new Error(`a request that should be ${mix.name} was not`)
  }
}

function rowsOf(rows: readonly Row[], mix: MixName, concurrency: number): readonly Row[] {
  return rows.filter((row) => row.mix === mix && row.concurrency === concurrency)
}

function tableOf(rows: readonly Row[], mix: Mix, concurrency: number) {
  return {
    title: `${concurrency} at a time, nearly all ${mix.name}`,
    columns: ['', 'decisions/s', '', 'client µs', 'server µs', 'p50 µs', 'p99 µs'],
    rows: rowsOf(rows, mix.name, concurrency).map(({ subject, measured }) => [
      subject.name,
      shownRate(measured.decisionsPerSecond.median),
      shownSpread(measured.decisionsPerSecond),
      shownUs(measured.clientUs.median),
      shownUs(measured.serverUs.median),
      shownUs(measured.p50Us.median),
      shownUs(measured.p99Us.median),
    ]),
  }
}

/** The rows, as bars ask for them. */
interface DriverFigures {
  /** How many times the other's figure this subject's is. */
  times(
    subject: string,
    other: string,
    figure: Parameters<typeof ratio>[2],
    mix: MixName,
    concurrency: number,
  ): number
  /** Server time per decision. */
  serverUs(subject: string, mix: MixName, concurrency: number): number
}

function figuresOf(rows: readonly Row[]): DriverFigures {
  const measured = (name: string, mix: MixName, concurrency: number): Measured =>
    rowsOf(rows, mix, concurrency).find(({ subject }) => subject.name === name)!.measured
  return {
    times: (subject, other, figure, ...where) =>
      ratio(measured(subject, ...where), measured(other, ...where), figure).median,
    serverUs: (subject, ...where) => measured(subject, ...where).serverUs.median,
  }
}

const rate = 'decisionsPerSecond'

function againstFloors(driver: Driver, than: BarsOfDriver): readonly Bar<DriverFigures>[] {
  const againstIncr = (mix: MixName, concurrency: 64 | 256, atLeast: number) => ({
    name: `${driver}: GCRA against INCR, ${mix}, ${concurrency} at a time, decisions/s`,
    bar: { atLeast },
    value: (of: DriverFigures) => of.times('gcra', incr, rate, mix, concurrency),
  })
  return [
    againstIncr('denied', 256, than.denied256),
    againstIncr('allowed', 256, than.allowed256),
    againstIncr('denied', 64, than.denied64),
    againstIncr('allowed', 64, than.allowed64),
    {
      name: `${driver}: GCRA against rate-limiter-flexible, allowed, 256 at a time, decisions/s`,
      bar: { atLeast: than.flexible256 },
      value: (of) => of.times('gcra', flexible, rate, 'allowed', 256),
    },
    ...(['allowed', 'denied'] as const).map((mix) => ({
      name: `${driver}: GCRA against an empty EVALSHA, ${mix}, one at a time, p50`,
      bar: { atMost: 1.15 },
      value: (of: DriverFigures) => of.times('gcra', noOp, 'p50Us', mix, 1),
    })),
    ...(['gcra', 'fixedWindow'] as const).flatMap((name) =>
      (['allowed', 'denied'] as const).map((mix) => ({
        name: `${driver}: ${name}, ${mix}, 256 at a time, server µs per decision`,
        bar: { atMost: mix === 'allowed' ? 2.8 : 1.2 },
        value: (of: DriverFigures) => of.serverUs(name, mix, 256),
      })),
    ),
    ...(['allowed', 'denied'] as const).map((mix) => ({
      name: `${driver}: fixedWindow against the lesson's script, ${mix}, 256 at a time, server µs`,
      bar: { atMost: 1 },
      value: (of: DriverFigures) => of.times('fixedWindow', lessonFixed, 'serverUs', mix, 256),
    })),
  ]
}

interface BarsOfDriver {
  readonly denied256: number
  readonly allowed256: number
  readonly denied64: number
  readonly allowed64: number
  readonly flexible256: number
}

export const ioredisTable: Section = driverTable(
  'ioredis',
  againstFloors('ioredis', {
    denied256: 2.3,
    allowed256: 1.5,
    denied64: 1.9,
    allowed64: 1.3,
    flexible256: 2.2,
  }),
)

export const nodeRedisTable: Section = driverTable(
  'node-redis',
  againstFloors('node-redis', {
    denied256: 3.5,
    allowed256: 2.5,
    denied64: 2.8,
    allowed64: 2,
    flexible256: 3.5,
  }),
)
