import { ioredisClusterOptions, ioredisOptions, ioredisStore } from '@spillway/adapter-ioredis'
import { nodeRedisOptions, nodeRedisStore } from '@spillway/adapter-node-redis'
import type { Law, StoreUnderTest } from '@spillway/conformance'
import { memoryStore } from '@spillway/core'
import { Cluster, Redis } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { redisInspector } from './redis-inspector.js'
import { sharedCluster, sharedRedis } from './servers.js'

/** A store, to be opened for the tests of one file. */
export interface Bench {
  readonly name: string
  /** What it has of that which some laws need. */
  readonly offers: readonly NonNullable<Law['needs']>[]
  open(): Promise<OpenBench>
}

/** An open store, and how to close its clients. */
export interface OpenBench {
  readonly store: StoreUnderTest
  close(): Promise<void>
}

// On Redis each step is a round trip. Few histories are enough there: memory tries many, and the
// law that twins agree carries what it finds over.
const runs = 6

// What a Cluster adds is where keys lie, which few histories show.
const clusterRuns = 3

/** Every store with every driver, on a real Redis and on a real Cluster. A new driver adds a line here. */
export const benches: readonly Bench[] = [
  { name: 'memory', offers: ['bounded'], open: openMemory },
  { name: 'ioredis', offers: ['inspect'], open: openIoredis },
  { name: 'node-redis', offers: ['inspect'], open: openNodeRedis },
  { name: 'ioredis, Cluster', offers: ['inspect'], open: openIoredisCluster },
  { name: 'node-redis, Cluster', offers: ['inspect'], open: openNodeRedisCluster },
]

async function openMemory(): Promise<OpenBench> {
  const store: StoreUnderTest = {
    name: 'memory',
    open: (clock) => memoryStore(clock && { clock }),
    bounded: (clock, maxKeys) => memoryStore({ clock, maxKeys }),
    runs: 40,
  }
  return { store, close: async () => {} }
}

async function openIoredis(): Promise<OpenBench> {
  const server = await sharedRedis()
  const client = new Redis(server.url, ioredisOptions)
  return {
    store: {
      name: 'ioredis',
      open: (clock) => ioredisStore(client, clock && { clock }),
      inspect: redisInspector(client),
      runs,
    },
    async close() {
      await client.quit()
    },
  }
}

async function openNodeRedis(): Promise<OpenBench> {
  const server = await sharedRedis()
  const client = createClient({ ...nodeRedisOptions, url: server.url })
  await client.connect()
  const inspecting = new Redis(server.url)
  return {
    store: {
      name: 'node-redis',
      open: (clock) => nodeRedisStore(client, clock && { clock }),
      inspect: redisInspector(inspecting),
      runs,
    },
    async close() {
      await inspecting.quit()
      await client.close()
    },
  }
}

async function openIoredisCluster(): Promise<OpenBench> {
  const cluster = await sharedCluster()
  const client = new Cluster([...cluster.nodes], ioredisClusterOptions)
  return {
    store: {
      name: 'ioredis, Cluster',
      open: (clock) => ioredisStore(client, clock && { clock }),
      inspect: redisInspector(client),
      runs: clusterRuns,
    },
    async close() {
      await client.quit()
    },
  }
}

async function openNodeRedisCluster(): Promise<OpenBench> {
  const cluster = await sharedCluster()
  const client = createCluster({
    rootNodes: cluster.nodes.map(({ url }) => ({ url })),
    defaults: nodeRedisOptions,
  })
  await client.connect()
  const inspecting = new Cluster([...cluster.nodes])
  return {
    store: {
      name: 'node-redis, Cluster',
      open: (clock) => nodeRedisStore(client, clock && { clock }),
      inspect: redisInspector(inspecting),
      runs: clusterRuns,
    },
    async close() {
      await inspecting.quit()
      await client.close()
    },
  }
}
