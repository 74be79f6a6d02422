import {
  eventually,
  type RedisProxy,
  type RedisSentinel,
  startProxy,
  startSentinel,
} from '@spillway/testbed'
import * as redis6 from 'redis'
import * as redis5 from 'redis5'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, consume, freshKey } from '../../store-redis/test/bench.js'
import { counter } from '../../store-redis/test/counter.js'
import {
  type NodeRedisClient,
  nodeRedisOptions,
  nodeRedisSentinelOptions,
  nodeRedisStore,
} from '../src/index.js'

interface Opened extends NodeRedisClient {
  on(event: string, listener: () => void): unknown
  connect(): Promise<unknown>
  destroy(): Promise<unknown>
}

interface SentinelOptions {
  readonly name: string
  readonly sentinelRootNodes: { host: string; port: number }[]
  readonly nodeAddressMap: Record<string, { host: string; port: number }>
  readonly nodeClientOptions: object
  readonly scanInterval: number
}

const policy = counter()
let pair: RedisSentinel
/** By the port of the server behind it. */
let proxies: ReadonlyMap<number, RedisProxy>

beforeAll(async () => {
  pair = await startSentinel()
  const servers = [pair.master, pair.replica]
  proxies = new Map(
    await Promise.all(servers.map(async (one) => [one.port, await startProxy(one)] as const)),
  )
})
afterAll(async () => {
  await Promise.all([...proxies.values()].map((proxy) => proxy.stop()))
  await pair.stop()
})

describe.each([
  {
    version: 'node-redis 5, RESP2',
    open: (options: SentinelOptions) => redis5.createSentinel({ ...options, RESP: 2 }),
  },
  {
    version: 'node-redis 6, RESP3',
    open: (options: SentinelOptions) => redis6.createSentinel({ ...options, RESP: 3 }),
  },
])('$version, through Sentinel:', ({ open }) => {
  const opened: Opened[] = []
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((client) => client.destroy()))
  })

  async function connect(more: object): Promise<Opened> {
    const client: Opened = open({
      name: pair.name,
      sentinelRootNodes: [...pair.sentinels],
      nodeAddressMap: Object.fromEntries(
        [...proxies].map(([port, proxy]) => [`127.0.0.1:${port}`, proxy]),
      ),
      nodeClientOptions: { ...nodeRedisOptions, socket: { reconnectStrategy: 20 } },
      // The client may miss the sentinels' word of a new master, and would ask again after 10 s.
      scanInterval: 500,
      ...more,
    })
    opened.push(client)
    client.on('error', () => {})
    await client.connect()
    return client
  }

  test('every request is counted once, and a flushed script cache costs none', async () => {
    const store = nodeRedisStore(await connect(nodeRedisSentinelOptions))
    const key = freshKey()
    for (let round = 0; round < 3; round++) {
      const flushed = pair.master.command('SCRIPT', 'FLUSH')
      const answers = Array.from({ length: 50 }, () => store.decide(consume(policy, key)))
      await Promise.all([flushed, ...answers])
    }
    expect(await pair.master.command('GET', key)).toBe('150')
    await store.forget([key])
    expect(await pair.master.command('EXISTS', key)).toBe(0)
  })

  test.each([
    ['counts twice by default', {}, undefined, 2],
    [
      'rejects and counts once with nodeRedisSentinelOptions',
      nodeRedisSentinelOptions,
      'STORE_INDETERMINATE',
      1,
    ],
  ])('a lost reply %s', async (_, options, expected, count) => {
    const store = nodeRedisStore(await connect(options))
    await store.decide(consume(policy, freshKey()))
    const key = freshKey()
    proxies.get(pair.master.port)!.cutAfterRequest('EVALSHA')
    const code = await ask(store, consume(policy, key)).then(
      () => undefined,
      (error: { readonly code: unknown }) => error.code,
    )
    expect(code).toBe(expected)
    await eventually('an answer', () => store.decide(consume(policy, key, 'look')), 30_000)
    expect(await pair.master.command('GET', key)).toBe(String(count))
  })

  test('counts go on at the new master', async () => {
    const store = nodeRedisStore(await connect(nodeRedisSentinelOptions))
    const key = freshKey()
    for (let i = 1; i <= 3; i++) await store.decide(consume(policy, key))
    await eventually('the replica to have it', async () => {
      return (await pair.replica.command('GET', key)) === '3'
    })
    await pair.failover()
    let inDoubt = 0
    await eventually(
      'an answer',
      async () => {
        await ask(store, consume(policy, key)).catch((error) => {
          if (error.code === 'STORE_INDETERMINATE') inDoubt += 1
          throw error
        })
        return true
      },
      30_000,
    )
    const counted = Number(await pair.master.command('GET', key))
    expect(counted).toBeGreaterThanOrEqual(4)
    expect(counted).toBeLessThanOrEqual(4 + inDoubt)
  })
})
