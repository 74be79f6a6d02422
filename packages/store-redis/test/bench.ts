import { once } from 'node:events'
import type { Policy, Request, Ruling, Store } from '@spillway/core'
import { type OwnRedis, type RedisProxy, startProxy, startRedis } from '@spillway/testbed'
import { Redis, type RedisOptions } from 'ioredis'
import type { RedisDriver } from '../src/index.js'

/** A Redis of our own behind a proxy that sees what is sent, and clients connected through it. */
export interface Bench {
  readonly server: OwnRedis
  readonly proxy: RedisProxy
  /** A driver over a connected client, which is closed with the bench. */
  connect(options?: ClientOptions): Promise<TestDriver>
  /** The commands that scripts travel by, in the order in which the server got them. */
  scriptCommands(): string[]
  close(): Promise<void>
}

type ClientOptions = Pick<RedisOptions, 'password' | 'protocol' | 'stringNumbers' | 'username'>

/** A driver as an adapter makes it, which also counts what it was asked to send. */
export interface TestDriver extends RedisDriver {
  readonly client: Redis
  calls: number
}

export async function openBench(args: readonly string[] = []): Promise<Bench> {
  const server = await startRedis({ own: true, args })
  const proxy = await startProxy(server)
  const clients: Redis[] = []
  return {
    server,
    proxy,
    async connect(options = {}) {
      const client = new Redis(proxy.port, { maxRetriesPerRequest: 0, ...options })
      clients.push(client)
      client.on('error', () => {}) // told through each call
      await once(client, 'ready')
      proxy.forget()
      return driverOf(client)
    },
    scriptCommands: () => proxy.seen.map(([name]) => name!).filter((name) => /^EVAL/.test(name)),
    async close() {
      for (const client of clients) client.disconnect()
      await proxy.stop()
      await server.stop()
    },
  }
}

/** A driver over a client that is connected. */
export function driverOf(client: Redis): TestDriver {
  const driver: TestDriver = {
    client,
    calls: 0,
    name: 'ioredis',
    clustered: false,
    ready: () => client.status === 'ready',
    opened: async () => {
      throw new Error(`the client's status is ${client.status}`)
    },
    evalsha: (sha, keys, args) => {
      driver.calls += 1
      return client.evalsha(sha, keys.length, ...keys, ...args)
    },
    eval: (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
    del: (keys) => client.del(...keys),
  }
  return driver
}

let keys = 0

/** A key that no test has used before. */
export function freshKey(): string {
  keys += 1
  return `test:counter:{${keys}}`
}

/** A request for one unit of a key under one policy. */
export function consume(policy: Policy, key: string, mode: Request['mode'] = 'consume'): Request {
  return { mode, targets: [{ policy, key, cost: 1 }] }
}

/** Asks a store of any kind, so that whatever comes of it is a promise. */
export async function ask(store: Store, request: Request): Promise<Ruling> {
  return store.decide(request)
}

/** Lets everything that is due in this turn of the event loop and the next one happen. */
export async function nextTurn(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
}
