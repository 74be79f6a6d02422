import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { type Bar, judged } from '../bar.js'
import { servers } from '../http/servers.js'
import type { Plan, Section } from '../section.js'
import { shownRate, shownSpread } from '../shown.js'
import { type Spread, spreadOf } from '../spread.js'
import { withRedis } from '../with-redis.js'

const connections = 100

/** What one round of load has measured. */
interface Round {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Row {
  readonly server: string
  readonly requestsPerSecond: Spread
  readonly p50Ms: Spread
  readonly p99Ms: Spread
  readonly each: readonly Round[]
}

/** A server under load, each in a process of its own; the load comes from this one. */
export const fastify: Section = {
  title: `Behind Fastify, ${connections} connections, through ioredis`,
  async run(plan) {
    const rows = await withRedis((redis) => measureAll(redis.url, plan))
    return {
      figures: rows.map(({ each: _, ...row }) => row),
      bars: judged(bars, rows),
      tables: [
        {
          title: 'all allowed',
          columns: ['', 'requests/s', '', 'p50 ms', 'p99 ms'],
          rows: rows.map(({ server, requestsPerSecond, p50Ms, p99Ms }) => [
            server,
            shownRate(requestsPerSecond.median),
            shownSpread(requestsPerSecond),
            p50Ms.median.toFixed(1),
            p99Ms.median.toFixed(1),
          ]),
        },
      ],
      charts: [
        {
          kind: 'bars',
          title: `Fastify, ${connections} connections`,
          unit: 'requests/s',
          bars: rows.map(({ server, requestsPerSecond }) => ({
            name: server,
            value: requestsPerSecond.median,
          })),
        },
      ],
    }
  },
}

async function measureAll(redisUrl: string, plan: Plan): Promise<Row[]> {
  const started = await Promise.all(servers.map(({ name }) => start(name, redisUrl)))
  try {
    const each = started.map((): Round[] => [])
    const rounds = Math.min(plan.rounds, 3)
    for (let turn = plan.isQuick ? 1 : 0; turn <= rounds; turn++) {
      for (const [i, { port }] of started.entries()) {
        const round = await loadServer(port, plan.isQuick ? 0.1 : 1)
        if (turn > 0) each[i]!.push(round)
      }
    }
    return servers.map(({ name }, i) => {
      const its = each[i]!
      return {
        server: name,
        requestsPerSecond: spreadOf(its.map((round) => round.requestsPerSecond)),
        p50Ms: spreadOf(its.map((round) => round.p50Ms)),
        p99Ms: spreadOf(its.map((round) => round.p99Ms)),
        each: its,
      }
    })
  } finally {
    for (const { child } of started) {
      child.kill()
      await once(child, 'exit')
    }
  }
}

async function start(
  name: string,
  redisUrl: string,
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(process.argv[1]!, ['serve', name, redisUrl], { execArgv: [] })
  const [port] = await once(child, 'message')
  if (typeof port !== 'number') throw new Error(`the server "${name}" has no port`)
  return { child, port }
}

/** What autocannon returns besides a promise, which its types leave out. */
type Stoppable = ReturnType<typeof autocannon> & { stop(): void }

async function loadServer(port: number, seconds: number): Promise<Round> {
  let callers = 0
  const running = autocannon({
    url: `http://127.0.0.1:${port}/`,
    connections,
    duration: 60,
    // Only at the end of a sample does it see that it has been stopped.
    sampleInt: 10,
    setupClient: (client) => {
      callers += 1
      client.setHeaders({ 'x-caller': `user:${callers}` })
    },
  })
  const startMs = performance.now()
  await sleep(seconds * 1000)
  ;(running as Stoppable).stop()
  const { requests, latency, non2xx, errors } = await running
  const elapsedMs = performance.now() - startMs
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
  return {
    requestsPerSecond: (requests.total / elapsedMs) * 1000,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  }
}

const rowOf = (rows: readonly Row[], server: string): Row =>
  rows.find((row) => row.server === server)!

/** The other's figure in the same rounds. */
function against(rows: readonly Row[], figure: keyof Round): number {
  const [ours, theirs] = ['spillway, gcra', 'rate-limiter-flexible'].map((name) =>
    rowOf(rows, name),
  )
  return spreadOf(ours!.each.map((round, i) => round[figure] / theirs!.each[i]![figure])).median
}

const bars: readonly Bar<readonly Row[]>[] = [
  {
    name: 'behind Fastify against rate-limiter-flexible, requests/s',
    bar: { atLeast: 1.25 },
    value: (rows) => against(rows, 'requestsPerSecond'),
  },
  {
    name: 'behind Fastify against rate-limiter-flexible, p99',
    bar: { atMost: 1 },
    value: (rows) => against(rows, 'p99Ms'),
  },
]
