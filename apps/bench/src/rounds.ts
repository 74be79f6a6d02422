import type { OwnRedis } from '@spillway/testbed'
import { load, type Round } from './load.js'
import { takeServerCpu } from './server-cpu.js'
import { type Spread, spreadOf } from './spread.js'

/** How long to measure. */
export interface Effort {
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
}

/** Something to put under load. */
export interface Contender {
  readonly decide: (key: string) => Promise<unknown>
  readonly keys: readonly string[]
}

/** What the rounds of one contender have measured. */
export interface Measured {
  readonly decisionsPerSecond: Spread
  /** CPU time of the client's process, per decision. */
  readonly clientUs: Spread
  /** Time in the server's commands, per decision. */
  readonly serverUs: Spread
  readonly p50Us: Spread
  readonly p99Us: Spread
  /** Commands that a decision took. */
  readonly commands: number
  /** The rounds, in order: those of the same number ran one right after the other. */
  readonly each: readonly (Round & { readonly serverUs: number })[]
}

/**
 * Loads contenders in turn, again and again, so that whatever else the machine is doing meanwhile
 * meets all of them alike. The first turn warms them up and is not counted.
 */
export async function interleaved<K>(
  redis: OwnRedis,
  contenders: ReadonlyMap<K, Contender>,
  concurrency: number,
  { rounds, roundMs, warmUpMs }: Effort,
): Promise<Map<K, Measured>> {
  const each = new Map([...contenders.keys()].map((key) => [key, [] as CountedRound[]]))
  for (let turn = 0; turn <= rounds; turn++) {
    for (const [key, { decide, keys }] of contenders) {
      await takeServerCpu(redis)
      const round = await load(decide, {
        concurrency,
        keys,
        forMs: turn === 0 ? warmUpMs : roundMs,
      })
      const { commandsUs, calls } = await takeServerCpu(redis)
      const perDecision = 1 / round.decisions
      if (turn === 0) continue
      each
        .get(key)!
        .push({ ...round, serverUs: commandsUs * perDecision, commands: calls * perDecision })
    }
  }
  return new Map([...each].map(([key, its]) => [key, summary(its)]))
}

type CountedRound = Round & { readonly serverUs: number; readonly commands: number }

function summary(each: readonly CountedRound[]): Measured {
  const spread = (pick: (round: CountedRound) => number) => spreadOf(each.map(pick))
  return {
    decisionsPerSecond: spread((round) => round.decisionsPerSecond),
    clientUs: spread((round) => round.clientUs),
    serverUs: spread((round) => round.serverUs),
    p50Us: spread((round) => round.p50Us),
    p99Us: spread((round) => round.p99Us),
    commands: spread((round) => round.commands).median,
    each,
  }
}
