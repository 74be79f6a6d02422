import { ioredisClusterOptions, ioredisStore } from '@spillway/adapter-ioredis'
import { nodeRedisOptions, nodeRedisStore } from '@spillway/adapter-node-redis'
import { gcra } from '@spillway/algo-gcra'
import { createLimiter, type Store } from '@spillway/core'
import { type RedisCluster, startCluster } from '@spillway/testbed'
import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import { type Bar, judged } from '../bar.js'
import { askEach, keysOf } from '../keys-of.js'
import { load, type Round } from '../load.js'
import type { Plan, Section } from '../section.js'
import { takeServerCpu } from '../server-cpu.js'
import { shownRate, shownSpread, shownUs } from '../shown.js'
import { type Spread, spreadOf } from '../spread.js'
import type { Driver } from '../subject.js'

const callers = 256

/** What is asked for a decision, and how. */
interface Way {
  readonly name: string
  readonly driver: Driver
  readonly decide: (key: string) => Promise<unknown>
}

interface CountedRound extends Round {
  /** Of all nodes together, per decision. */
  readonly serverUs: number
  readonly commands: number
  readonly bytes: number
}

interface Row {
  readonly name: string
  readonly driver: Driver
  readonly nodes: number
  readonly each: readonly CountedRound[]
}

/** How much of the gathering a Cluster leaves. Its nodes share this machine. */
export const cluster: Section = {
  title: `On a Cluster, ${callers} at a time, nearly all denied`,
  async run(plan) {
    const rows: Row[] = []
    for (const nodes of plan.isQuick ? [1, 3] : [1, 2, 3]) {
      const rounds = nodes === 3 ? plan.rounds : Math.min(2, plan.rounds) // no bar is about fewer
      rows.push(...(await onCluster(nodes, { ...plan, rounds })))
    }
    const spread = ({ each }: Row, pick: (round: CountedRound) => number): Spread =>
      spreadOf(each.map(pick))
    return {
      figures: rows.map((row) => ({
        name: row.name,
        driver: row.driver,
        nodes: row.nodes,
        decisionsPerSecond: spread(row, (round) => round.decisionsPerSecond),
        clientUs: spread(row, (round) => round.clientUs),
        serverUs: spread(row, (round) => round.serverUs),
        commands: spread(row, (round) => round.commands),
        bytes: spread(row, (round) => round.bytes),
      })),
      bars: judged(bars, rows),
      tables: [3, 1, 2].map((nodes) => ({
        title: `${nodes} ${nodes === 1 ? 'node' : 'nodes, which share the cores of this machine'}`,
        columns: ['', 'decisions/s', '', 'client µs', 'servers µs', 'commands', 'bytes'],
        rows: rows
          .filter((row) => row.nodes === nodes)
          .map((row) => [
            `${row.driver}: ${row.name}`,
            shownRate(spread(row, (round) => round.decisionsPerSecond).median),
            shownSpread(spread(row, (round) => round.decisionsPerSecond)),
            shownUs(spread(row, (round) => round.clientUs).median),
            shownUs(spread(row, (round) => round.serverUs).median),
            spread(row, (round) => round.commands).median.toFixed(3),
            spread(row, (round) => round.bytes).median.toFixed(0),
          ]),
      })),
      charts: [],
    }
  },
}

const oneCall = 'GCRA, a call per decision'
const incr = 'INCR'
const byKey = 'GCRA, a slot for each key'
const tags12 = 'GCRA, 12 tags'
const tags48 = 'GCRA, 48 tags'

async function onCluster(nodes: number, plan: Plan): Promise<Row[]> {
  const servers = await startCluster({ nodes })
  const [first] = servers.nodes
  const viaIoredis = new Cluster([{ host: first!.host, port: first!.port }], ioredisClusterOptions)
  const viaNodeRedis = createCluster({
    rootNodes: [{ url: first!.url }],
    defaults: nodeRedisOptions,
  })
  try {
    await viaNodeRedis.connect()
    await viaIoredis.ping()
    const ways: Way[] = [
      { name: incr, driver: 'ioredis', decide: (key) => viaIoredis.incr(`incr:${key}`) },
      ...limiters('ioredis', (tags) => ioredisStore(viaIoredis, tags)),
      { name: incr, driver: 'node-redis', decide: (key) => viaNodeRedis.incr(`incr:${key}`) },
      ...limiters('node-redis', (tags) => nodeRedisStore(viaNodeRedis, tags)),
    ]
    const isWhole = nodes === 3 // elsewhere only what depends on how many there are
    return await measure(servers, isWhole ? ways : ways.filter(isGatheredOrBare), plan)
  } finally {
    viaIoredis.disconnect()
    viaNodeRedis.destroy()
    await servers.stop()
  }
}

function isGatheredOrBare({ name }: Way): boolean {
  return name === incr || name === tags12
}

/** The same limiter, gathered as far as each way allows. */
function limiters(driver: Driver, open: (options: { clusterTags?: number }) => Store): Way[] {
  const decideThrough = (store: Store): Way['decide'] => {
    const policies = { bench: gcra({ limit: 10, window: '1h' }) }
    const limiter = createLimiter({ store, policies })
    return (key) => limiter.consume(key)
  }
  return [
    {
      name: oneCall,
      driver,
      decide: inTurn(Array.from({ length: callers }, () => decideThrough(open({})))),
    },
    { name: byKey, driver, decide: decideThrough(open({})) },
    { name: tags12, driver, decide: decideThrough(open({ clusterTags: 12 })) },
    { name: tags48, driver, decide: decideThrough(open({ clusterTags: 48 })) },
  ]
}

/** Each time another one: so a store never has two requests to gather. */
function inTurn(ways: readonly Way['decide'][]): Way['decide'] {
  let turn = 0
  return (key) => ways[turn++ % ways.length]!(key)
}

async function measure(servers: RedisCluster, ways: readonly Way[], plan: Plan): Promise<Row[]> {
  const each = ways.map((): CountedRound[] => [])
  const keys = keysOf('cluster', plan.isQuick ? 50 : 1000)
  for (const { decide } of ways) await askEach(decide, keys, 11)
  for (let turn = 0; turn <= plan.rounds; turn++) {
    for (const [i, { decide }] of ways.entries()) {
      await takeCosts(servers)
      const forMs = turn === 0 ? plan.warmUpMs : plan.roundMs
      const round = await load(decide, { concurrency: callers, forMs, keys })
      const { us, commands, bytes } = await takeCosts(servers)
      if (turn === 0) continue
      each[i]!.push({
        ...round,
        serverUs: us / round.decisions,
        commands: commands / round.decisions,
        bytes: bytes / round.decisions,
      })
    }
  }
  return ways.map(({ name, driver }, i) => ({
    name,
    driver,
    nodes: servers.nodes.length,
    each: each[i]!,
  }))
}

/** What all nodes have spent since this was last asked. */
async function takeCosts({ nodes }: RedisCluster) {
  let [us, commands, bytes] = [0, 0, 0]
  for (const node of nodes) {
    const stats = String(await node.command('INFO', 'stats'))
    for (const way of ['input', 'output']) {
      bytes += Number(new RegExp(`total_net_${way}_bytes:(\\d+)`).exec(stats)?.[1])
    }
    const cpu = await takeServerCpu(node)
    us += cpu.commandsUs
    commands += cpu.calls
  }
  return { us, commands, bytes }
}

function times(driver: Driver, one: string, other: string) {
  return (rows: readonly Row[]): number => {
    const [its, others] = [one, other].map(
      (name) =>
        rows.find((row) => row.nodes === 3 && row.driver === driver && row.name === name)!.each,
    )
    return spreadOf(
      its!.map((round, i) => round.decisionsPerSecond / others![i]!.decisionsPerSecond),
    ).median
  }
}

const bars: readonly Bar<readonly Row[]>[] = (
  [
    ['ioredis', 1.8],
    ['node-redis', 2.5],
  ] as const
).flatMap(([driver, atLeast]) => [
  {
    name: `Cluster, ${driver}: GCRA with 12 tags against INCR, decisions/s`,
    bar: { atLeast },
    value: times(driver, tags12, incr),
  },
  {
    name: `Cluster, ${driver}: GCRA without tags against a call per decision, decisions/s`,
    bar: { atLeast: 1 },
    value: times(driver, byKey, oneCall),
  },
])
