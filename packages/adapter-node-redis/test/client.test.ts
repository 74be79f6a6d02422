import { createLimiter } from '@spillway/core'
import {
  eventually,
  type OwnRedis,
  type RedisProxy,
  startProxy,
  startRedis,
} from '@spillway/testbed'
import * as redis6 from 'redis'
import * as redis5 from 'redis5'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, consume, freshKey } from '../../store-redis/test/bench.js'
import { counter } from '../../store-redis/test/counter.js'
import { nodeRedisOptions, nodeRedisStore } from '../src/index.js'

const policy = counter()
let server: OwnRedis
let proxy: RedisProxy

beforeAll(async () => {
  server = await startRedis({ own: true })
  proxy = await startProxy(server)
})
afterAll(async () => {
  await proxy.stop()
  await server.stop()
})

test.each([undefined, null, {}, { evalsha() {} }, 'redis://localhost'])(
  'what is no client is refused: %j',
  (client) => {
    // @ts-expect-error: that is what is tested
    expect(() => nodeRedisStore(client)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^client must be a node-redis client, .* got /),
      }),
    )
  },
)

test('options go to the store', () => {
  // @ts-expect-error: that is what is tested
  expect(() => nodeRedisStore(redis6.createClient(), { clock: 1 })).toThrow(
    /^clock must be a function/,
  )
})

const socket = () => ({ host: '127.0.0.1', port: proxy.port, reconnectStrategy: 20 })

describe.each([
  {
    version: 'node-redis 5',
    open: (RESP: 2 | 3) => redis5.createClient({ RESP, socket: socket() }),
    types: redis5.RESP_TYPES,
  },
  {
    version: 'node-redis 6',
    open: (RESP: 2 | 3) => redis6.createClient({ RESP, socket: socket() }),
    types: redis6.RESP_TYPES,
  },
])('$version', ({ open, types }) => {
  const opened: ReturnType<typeof open>[] = []
  afterEach(async () => {
    await proxy.accept()
    for (const client of opened.splice(0)) if (client.isOpen) client.destroy()
  })

  function create(RESP: 2 | 3 = 3) {
    const client = open(RESP)
    opened.push(client)
    client.on('error', () => {})
    return client
  }

  test('a client that is not open, or no more, fails at once and is told what to do', async () => {
    const client = create()
    const store = nodeRedisStore(client)
    const unopened = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('connect()') }
    await expect(store.decide(consume(policy, freshKey()))).rejects.toMatchObject(unopened)
    await expect(store.forget([freshKey()])).rejects.toMatchObject(unopened)
    expect(client.isOpen).toBe(false)
    await client.connect()
    await store.decide(consume(policy, freshKey()))
    await client.close()
    await expect(store.decide(consume(policy, freshKey()))).rejects.toMatchObject(unopened)
    expect(client.isOpen).toBe(false)
  })

  test('while it reconnects, a decision fails at once and never waits in its queue', async () => {
    const client = create()
    await client.connect()
    const store = nodeRedisStore(client)
    const key = freshKey()
    await store.decide(consume(policy, key))
    await proxy.refuse()
    await eventually('the client to notice', () => !client.isReady)
    for (let i = 0; i < 5; i++) {
      // A queue would keep it waiting for the connection, which only comes afterwards.
      await expect(store.decide(consume(policy, key))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      })
    }
    await proxy.accept()
    await eventually('the client to be back', () => client.isReady)
    await client.ping() // behind whatever may have been queued
    expect(await server.command('GET', key)).toBe('1')
  })

  test('nothing is added to the client', async () => {
    const client = create()
    await client.connect()
    const state = () => ({
      own: Reflect.ownKeys(client),
      prototype: Reflect.ownKeys(Object.getPrototypeOf(client)),
      listeners: client.eventNames().map((name) => [name, client.listenerCount(name)]),
    })
    const before = state()
    const store = nodeRedisStore(client)
    await store.decide(consume(policy, freshKey()))
    proxy.cutAfterRequest('EVALSHA')
    await ask(store, consume(policy, freshKey())).catch(() => {})
    await eventually('an answer', () => store.decide(consume(policy, freshKey())))
    expect(state()).toEqual(before)
  })

  test.each([2, 3] as const)('RESP%i, with types of its own for replies', async (RESP) => {
    const client = create(RESP)
    await client.connect()
    const mapping = { [types.NUMBER]: String, [types.BLOB_STRING]: Buffer }
    const tight = counter({ limit: 2 })
    for (const one of [client, client.withTypeMapping(mapping)]) {
      const store = nodeRedisStore(one)
      const key = freshKey()
      const remaining: unknown[] = []
      for (let i = 0; i < 3; i++) {
        const { allowed, targets } = await store.decide(consume(tight, key))
        remaining.push(allowed, targets[0]!.remaining)
      }
      expect(remaining).toEqual([true, 1, true, 0, false, 0])
      await server.command('SADD', `${key}:set`, 1)
      await expect(store.decide(consume(tight, `${key}:set`))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        cause: expect.objectContaining({ message: expect.stringMatching(/^WRONGTYPE/) }),
      })
    }
  })
})

test("node-redis 6: the client's own prefix works", async () => {
  const client = redis6.createClient({ keyPrefix: 'own:', socket: socket() })
  await client.connect()
  const policies = { api: counter({ limit: 2 }) }
  const limiter = createLimiter({ store: nodeRedisStore(client), policies })
  await limiter.consume('somebody')
  expect(await server.command('EXISTS', 'own:spillway:api:counter:{somebody}')).toBe(1)
  await limiter.reset('somebody')
  expect(await server.command('EXISTS', 'own:spillway:api:counter:{somebody}')).toBe(0)
  client.destroy()
})

const size = { minimum: 2, maximum: 2 }

test.each([
  {
    version: 'node-redis 5',
    open: () => redis5.createClientPool({ ...nodeRedisOptions, socket: socket() }, size),
  },
  {
    version: 'node-redis 6',
    open: () => redis6.createClientPool({ ...nodeRedisOptions, socket: socket() }, size),
  },
])('a pool of $version without Redis fails at once, and is not given up', async ({ open }) => {
  const pool = open()
  pool.on('error', () => {})
  await pool.connect()
  const store = nodeRedisStore(pool)
  const key = freshKey()
  await store.decide(consume(policy, key))
  await proxy.refuse()
  const look = () =>
    ask(store, consume(policy, key, 'look')).then(
      () => 'answered',
      (error: { readonly code: unknown }) => error.code,
    )
  await eventually('the pool to notice', async () => (await look()) === 'STORE_UNAVAILABLE')
  const codes = await Promise.all(Array.from({ length: 10 }, look))
  expect(new Set(codes)).toEqual(new Set(['STORE_UNAVAILABLE']))
  await proxy.accept()
  await eventually('an answer', async () => (await look()) === 'answered')
  expect(await server.command('GET', key)).toBe('1')
  pool.destroy()
})

test.each([
  {
    version: 'node-redis 5',
    open: () => redis5.createCluster({ rootNodes: [{ socket: socket() }] }),
  },
  {
    version: 'node-redis 6',
    open: () => redis6.createCluster({ rootNodes: [{ socket: socket() }] }),
  },
])('a cluster of $version that has not found its nodes yet is not ready', async ({ open }) => {
  proxy.freeze()
  const cluster = open()
  cluster.on('error', () => {})
  const connecting = cluster.connect().catch(() => {})
  expect(cluster.isOpen).toBe(true)
  await expect(nodeRedisStore(cluster).decide(consume(policy, freshKey()))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  })
  proxy.cut()
  proxy.thaw()
  await connecting // fails: it is no Cluster
})
