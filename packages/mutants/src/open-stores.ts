import { ioredisClusterOptions, ioredisOptions } from '@spillway/adapter-ioredis'
import type { StoreUnderTest, Subject } from '@spillway/conformance'
import { redisInspector } from '@spillway/matrix'
import { startCluster, startRedis } from '@spillway/testbed'
import { Cluster, Redis } from 'ioredis'
import { createClient } from 'redis'
import type * as Kit from './kit.js'
import type { Mutant, StoreName } from './mutant.js'
import { policiesOf } from './policies-of.js'

type AnyKit = typeof Kit

/** Where mutants are tried: stores by name, each made by the kit it is given. */
export interface OpenStores {
  /** What the laws of a kit are checked on: its own rules and its own store. */
  subject(kit: AnyKit, where: Pick<Mutant, 'rules' | 'on'>): Subject
  close(): Promise<void>
}

type Make = (kit: AnyKit) => Pick<StoreUnderTest, 'open' | 'bounded' | 'inspect' | 'runs'>

// The same histories every time, so that a mutant is caught always or never; the first that
// breaks a law will do.
const always = { seed: 1, shrinkMs: 0 }

/** Opens memory alone. */
export function openMemory(): OpenStores {
  return stores({ memory: makeMemory }, async () => {})
}

/** Opens a Redis with both drivers, and a Cluster. */
export async function openRedis(): Promise<OpenStores> {
  const [server, cluster] = await Promise.all([startRedis(), startCluster()])
  const ioredis = new Redis(server.url, ioredisOptions)
  const ioredisCluster = new Cluster([...cluster.nodes], ioredisClusterOptions)
  const nodeRedis = createClient({ url: server.url })
  await nodeRedis.connect()
  const runs = 10
  const inspect = redisInspector(ioredis)
  const makes: Partial<Record<StoreName, Make>> = {
    ioredis: (kit) => ({
      open: (clock) => kit.ioredisStore(ioredis, clock && { clock }),
      inspect,
      runs,
    }),
    'node-redis': (kit) => ({
      open: (clock) => kit.nodeRedisStore(nodeRedis, clock && { clock }),
      inspect,
      runs,
    }),
    'ioredis, Cluster': (kit) => ({
      open: (clock) => kit.ioredisStore(ioredisCluster, clock && { clock }),
      inspect: redisInspector(ioredisCluster),
      runs,
    }),
  }
  return stores(makes, async () => {
    await Promise.all([ioredis.quit(), ioredisCluster.quit(), nodeRedis.close()])
    await Promise.all([server.stop(), cluster.stop()])
  })
}

function makeMemory({ memoryStore }: AnyKit): ReturnType<Make> {
  return {
    open: (clock) => memoryStore(clock && { clock }),
    bounded: (clock, maxKeys) => memoryStore({ clock, maxKeys }),
    runs: 60,
  }
}

function stores(makes: Partial<Record<StoreName, Make>>, close: () => Promise<void>): OpenStores {
  return {
    subject(kit, { rules, on: name }) {
      const make = makes[name]
      if (make === undefined) throw new Error(`no store is open by the name of ${name}`)
      return { store: { name, ...always, ...make(kit) }, policies: policiesOf(kit, rules) }
    },
    close,
  }
}
