import type { Section } from './section.js'

/** A section by its name. Only the process that runs it loads it, and what it measures. */
export interface NamedSection {
  readonly name: string
  /** Measured only when it is asked for by its name. */
  readonly onDemand?: boolean
  /** More arguments for its Node. */
  readonly execArgv?: readonly string[]
  load(): Promise<Section>
}

/** The parts of the benchmark, in the order in which they run. */
export const sections: readonly NamedSection[] = [
  { name: 'ioredis', load: async () => (await import('./sections/driver-table.js')).ioredisTable },
  {
    name: 'node-redis',
    load: async () => (await import('./sections/driver-table.js')).nodeRedisTable,
  },
  { name: 'logs', load: async () => (await import('./sections/logs.js')).logs },
  { name: 'storage', load: async () => (await import('./sections/storage.js')).storage },
  {
    name: 'in-process',
    execArgv: ['--expose-gc'],
    load: async () => (await import('./sections/in-process.js')).inProcess,
  },
  { name: 'size', load: async () => (await import('./sections/size.js')).size },
  { name: 'distance', load: async () => (await import('./sections/distance.js')).distance },
  { name: 'fastify', load: async () => (await import('./sections/fastify.js')).fastify },
  { name: 'hot-key', load: async () => (await import('./sections/hot-key.js')).hotKey },
  { name: 'growth', load: async () => (await import('./sections/growth.js')).growth },
  { name: 'cluster', load: async () => (await import('./sections/cluster.js')).cluster },
  {
    name: 'profile',
    onDemand: true,
    load: async () => (await import('./sections/profile.js')).profile,
  },
]
