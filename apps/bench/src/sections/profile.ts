import { clientProfile, type Shares } from '../client-profile.js'
import { askEach, keysOf } from '../keys-of.js'
import { load } from '../load.js'
import { mixes } from '../scenarios.js'
import type { Plan, Section } from '../section.js'
import { canCountInstructions, withCountedRedis } from '../server-instructions.js'
import type { Driver, OpenSubject } from '../subject.js'
import { floors } from '../subjects/floors.js'
import { lessons } from '../subjects/lessons.js'
import { type AlgorithmName, algorithms, spillway } from '../subjects/spillway.js'
import type { Table } from '../table.js'
import { withOpen } from '../with-open.js'
import { withRedis } from '../with-redis.js'

/** Instructions that the server executes for one decision. */
interface ServerRow {
  readonly subject: string
  readonly mix: string
  readonly alone: number
  readonly gathered: number
}

/** Why a decision costs what it does. */
export const profile: Section = {
  title: 'Where the time of a decision goes',
  async run(plan) {
    const clients = []
    for (const driver of ['ioredis', 'node-redis'] as const) {
      clients.push({ driver, shares: await clientShares(driver, plan) })
    }
    const server = (await canCountInstructions()) ? await serverRows(plan) : []
    return {
      figures: { clients, server },
      bars: [],
      tables: [
        ...clients.map(({ driver, shares }) => clientTable(driver, shares)),
        serverTable(server),
      ],
      charts: [],
    }
  },
}

async function clientShares(driver: Driver, { isQuick }: Plan): Promise<Shares> {
  const { limit, keys: count } = mixes.find(({ name }) => name === 'denied')!
  const subject = spillway(driver, 'gcra')
  return withRedis((redis) =>
    withOpen([subject], redis.url, limit, async (open) => {
      const { decide } = open.get(subject)!
      const keys = keysOf(subject.name, count)
      const under = (forMs: number) => load(decide, { concurrency: 256, forMs, keys })
      await under(isQuick ? 5 : 1000)
      return clientProfile(() => under(isQuick ? 20 : 3000))
    }),
  )
}

const inACall = 32

async function serverRows({ isQuick }: Plan): Promise<ServerRow[]> {
  const names = Object.keys(algorithms) as AlgorithmName[]
  const subjects = [
    ...floors('ioredis'),
    ...lessons('ioredis'),
    ...names.map((name) => spillway('ioredis', name)),
  ]
  const rows: ServerRow[] = []
  await withCountedRedis(async (redis, instructions) => {
    for (const { name: mix, limit, before } of mixes) {
      await withOpen(subjects, redis.url, limit, async (open) => {
        for (const [{ name: subject }, { decide }] of open) {
          const keys = keysOf(`${subject} ${mix}`, isQuick ? inACall : 10 * inACall)
          await askEach(decide, keys, before)
          const [alone, gathered] = [1, inACall].map((atOnce) => async () => {
            const total = await instructions(() => askTogether(decide, keys, atOnce))
            return total / keys.length
          })
          rows.push({ subject, mix, alone: await alone!(), gathered: await gathered!() })
        }
      })
    }
  })
  return rows
}

async function askTogether(
  decide: OpenSubject['decide'],
  keys: readonly string[],
  atOnce: number,
): Promise<void> {
  for (let first = 0; first < keys.length; first += atOnce) {
    await Promise.all(keys.slice(first, first + atOnce).map(decide))
  }
}

function clientTable(driver: Driver, shares: Shares): Table {
  return {
    title: `the client's busy time: ${driver}, GCRA, nearly all denied, 256 at a time`,
    columns: ['', '%'],
    rows: shares
      .filter(([, share]) => share >= 0.005)
      .map(([owner, share]) => [owner, (share * 100).toFixed(1)]),
  }
}

function serverTable(rows: readonly ServerRow[]): Table {
  return {
    title:
      rows.length > 0
        ? `instructions of the server for a decision, one by one and ${inACall} at once`
        : 'instructions of the server: install valgrind to have them counted',
    columns: ['', '', 'one by one', `${inACall} at once`],
    rows: rows.map(({ subject, mix, alone, gathered }) => [
      subject,
      mix,
      Math.round(alone).toLocaleString('en-US'),
      Math.round(gathered).toLocaleString('en-US'),
    ]),
  }
}
