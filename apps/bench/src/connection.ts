import { ioredisOptions, ioredisStore } from '@spillway/adapter-ioredis'
import { nodeRedisStore } from '@spillway/adapter-node-redis'
import type { Store } from '@spillway/core'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { Driver } from './subject.js'

/** One connection, as a subject uses it: commands called directly, or a store on top. */
export interface Connection {
  incr(key: string): Promise<unknown>
  load(script: string): Promise<unknown>
  evalsha(sha: string, key: string, args: string[]): Promise<unknown>
  /** Any command, for setting up. */
  send(...command: string[]): Promise<unknown>
  store(): Store
  close(): void
}

/** Connects through a driver. */
export async function connect(driver: Driver, url: string): Promise<Connection> {
  return driver === 'ioredis'
    ? throughIoredis(await connectIoredis(url))
    : throughNodeRedis(await connectNodeRedis(url))
}

export async function connectIoredis(url: string): Promise<Redis> {
  const client = new Redis(url, { ...ioredisOptions, lazyConnect: true })
  await client.connect()
  return client
}

type NodeRedis = ReturnType<typeof createClient>

export async function connectNodeRedis(url: string): Promise<NodeRedis> {
  const client = createClient({ url })
  client.on('error', () => {}) // each command says by itself that it failed
  await client.connect()
  return client as unknown as NodeRedis
}

function throughIoredis(client: Redis): Connection {
  return {
    incr: (key) => client.incr(key),
    load: (script) => client.script('LOAD', script),
    evalsha: (sha, key, args) => client.evalsha(sha, 1, key, ...args),
    send: (name, ...args) => client.call(name!, ...args),
    store: () => ioredisStore(client),
    close: () => client.disconnect(),
  }
}

function throughNodeRedis(client: NodeRedis): Connection {
  return {
    incr: (key) => client.incr(key),
    load: (script) => client.scriptLoad(script),
    evalsha: (sha, key, args) => client.evalSha(sha, { keys: [key], arguments: args }),
    send: (...command) => client.sendCommand(command),
    store: () => nodeRedisStore(client),
    close: () => client.destroy(),
  }
}
