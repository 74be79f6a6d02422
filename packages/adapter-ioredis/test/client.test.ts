import { once } from 'node:events'
import { createLimiter } from '@spillway/core'
import {
  eventually,
  type OwnRedis,
  type RedisProxy,
  startProxy,
  startRedis,
} from '@spillway/testbed'
import { Cluster as Cluster6, Redis as Redis6 } from 'ioredis'
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis5'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ask, consume, freshKey } from '../../store-redis/test/bench.js'
import { counter } from '../../store-redis/test/counter.js'
import {
  type IoredisClient,
  ioredisClusterOptions,
  ioredisOptions,
  ioredisStore,
} from '../src/index.js'

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

test.each([undefined, null, {}, { evalSha() {} }, 'redis://localhost'])(
  'what is no client is refused: %j',
  (client) => {
    // @ts-expect-error: that is what is tested
    expect(() => ioredisStore(client)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^client must be a Redis or Cluster of ioredis, got /),
      }),
    )
  },
)

test('options go to the store', () => {
  const client = new Redis6({ ...ioredisOptions, lazyConnect: true })
  // @ts-expect-error: that is what is tested
  expect(() => ioredisStore(client, { clock: 1 })).toThrow(/^clock must be a function/)
})

describe.each([
  {
    version: 'ioredis 5',
    open: (options: object) => new Redis5({ port: proxy.port, ...options }),
    openCluster: () => new Cluster5([{ port: proxy.port }], ioredisClusterOptions),
  },
  {
    version: 'ioredis 6',
    open: (options: object) => new Redis6({ port: proxy.port, ...options }),
    openCluster: () => new Cluster6([{ port: proxy.port }], ioredisClusterOptions),
  },
])('$version', ({ open, openCluster }) => {
  const opened: { disconnect(): void }[] = []

  afterEach(async () => {
    for (const client of opened.splice(0)) client.disconnect()
    await proxy.accept()
  })

  function connect(options: object = {}): Redis5 | Redis6 {
    const client = open({ ...ioredisOptions, ...options })
    opened.push(client)
    client.on('error', () => {})
    return client
  }

  test('the first connection is waited for, and what was asked goes out in order', async () => {
    const key = freshKey()
    await ioredisStore(connect()).decide(consume(policy, freshKey())) // now Redis knows the script
    const client = connect()
    const store = ioredisStore(client)
    expect(client.status).toBe('connecting')
    await Promise.all([
      store.decide(consume(policy, key)),
      store.forget([key]),
      store.decide(consume(policy, key)),
    ])
    expect(client.status).toBe('ready')
    expect(await server.command('GET', key)).toBe('1')
  })

  test('a lazy client connects on the first decision, once', async () => {
    const client = connect({ lazyConnect: true })
    const store = ioredisStore(client)
    await new Promise((resolve) => setImmediate(resolve))
    expect(client.status).toBe('wait')
    const before = Number(await connectionsReceived())
    await Promise.all([
      store.decide(consume(policy, freshKey())),
      store.forget([freshKey()]),
      store.decide(consume(policy, freshKey())),
    ])
    // The client's own one, and the ones that asked.
    expect(Number(await connectionsReceived()) - before).toBe(2)
  })

  describe('why the first connection failed is the cause:', () => {
    const refused = expect.objectContaining({ code: 'ECONNREFUSED' })

    test.each([false, true])(
      'nobody answers, and the client goes on, lazyConnect: %s',
      async (lazyConnect) => {
        await proxy.refuse()
        const attempt = async () => {
          const client = connect({ lazyConnect })
          const before = listenersOf(client)
          const store = ioredisStore(client)
          const error = await ask(store, consume(policy, freshKey())).catch((reason) => reason)
          expect(listenersOf(client)).toEqual(before)
          return { store, error }
        }
        let { store, error } = await attempt()
        // Somebody else may sit on that port for a moment.
        for (let i = 0; i < 5 && error.cause?.code !== 'ECONNREFUSED'; i++) {
          ;({ store, error } = await attempt())
        }
        expect(error).toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining('ECONNREFUSED'),
          cause: refused,
        })
        await expect(store.decide(consume(policy, freshKey()))).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
        })
        await proxy.accept()
        await eventually('an answer', () => store.decide(consume(policy, freshKey())))
      },
    )

    test('nobody listens, which ioredis complains of as ever', async () => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      await proxy.refuse()
      const client = open({ ...ioredisOptions, retryStrategy: null })
      opened.push(client)
      const store = ioredisStore(client)
      await expect(store.decide(consume(policy, freshKey()))).rejects.toMatchObject({
        cause: refused,
      })
      expect(printed.mock.calls).toEqual([
        ['[ioredis] Unhandled error event:', expect.stringContaining('ECONNREFUSED')],
      ])
      printed.mockRestore()
    })

    test('Redis does not know the user', async () => {
      const store = ioredisStore(connect({ username: 'nobody', password: 'wrong' }))
      await expect(store.decide(consume(policy, freshKey()))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        cause: expect.objectContaining({ message: expect.stringMatching(/^WRONGPASS/) }),
      })
    })

    test('no node of a Cluster answers', async () => {
      await proxy.refuse()
      const client = openCluster()
      opened.push(client)
      const told: unknown[] = []
      client.on('error', (error) => told.push(error))
      const answer = ask(ioredisStore(client), consume(policy, freshKey()))
      const error = await answer.catch((error) => error)
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
      expect(error.cause).toBe(told[0])
    })
  })

  test('while it reconnects, a decision fails at once and never waits in its queue', async () => {
    const client = connect()
    const store = ioredisStore(client)
    const key = freshKey()
    await store.decide(consume(policy, key))
    await proxy.refuse()
    await eventually('the client to notice', () => client.status !== 'ready')
    for (let i = 0; i < 5; i++) {
      // A queue would keep it waiting for the connection, which only comes afterwards.
      await expect(store.decide(consume(policy, key))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      })
    }
    await proxy.accept()
    await eventually('the client to be back', () => client.status === 'ready')
    await client.ping() // behind whatever may have been queued
    expect(await server.command('GET', key)).toBe('1')
  })

  test('a client that was closed fails at once, and is not opened again', async () => {
    const client = connect()
    const store = ioredisStore(client)
    await store.decide(consume(policy, freshKey()))
    await client.quit()
    await eventually('the end', () => client.status === 'end')
    await expect(store.decide(consume(policy, freshKey()))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('"end"'),
    })
    expect(client.status).toBe('end')
  })

  test('nothing is added to the client', async () => {
    const untouched = connect()
    await once(untouched, 'ready')
    const client = connect()
    const own = () => [Reflect.ownKeys(client), listenersOf(client)]
    const before = listenersOf(client)
    const store = ioredisStore(client)
    await store.decide(consume(policy, freshKey()))
    expect(own()).toEqual([Reflect.ownKeys(untouched), listenersOf(untouched)])
    expect(listenersOf(client)).toEqual(before)
    const prototype = Reflect.ownKeys(Object.getPrototypeOf(client))
    proxy.cutAfterRequest('EVALSHA')
    await ask(store, consume(policy, freshKey())).catch(() => {})
    await eventually('the client to be back', () => client.status === 'ready')
    await store.decide(consume(policy, freshKey()))
    expect(listenersOf(client)).toEqual(before)
    expect(Reflect.ownKeys(Object.getPrototypeOf(client))).toEqual(prototype)
  })

  test("the client's own prefix and string numbers work", async () => {
    const client = connect({ keyPrefix: 'own:', stringNumbers: true })
    const limiter = createLimiter({
      store: ioredisStore(client),
      policies: { api: counter({ limit: 2 }) },
    })
    await limiter.consume('somebody')
    expect(await server.command('EXISTS', 'own:spillway:api:counter:{somebody}')).toBe(1)
    expect(await limiter.consume('somebody')).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limiter.consume('somebody')).toMatchObject({ allowed: false })
    await limiter.reset('somebody')
    expect(await server.command('EXISTS', 'own:spillway:api:counter:{somebody}')).toBe(0)
  })

  test("the client's automatic pipelines and command timeout work", async () => {
    const client = connect({ enableAutoPipelining: true, commandTimeout: 200 })
    const store = ioredisStore(client)
    await server.command('SCRIPT', 'FLUSH')
    const key = freshKey()
    await Promise.all(Array.from({ length: 100 }, async () => store.decide(consume(policy, key))))
    expect(await server.command('GET', key)).toBe('100')
    await server.pause()
    const answer = store.decide(consume(policy, key))
    await expect(answer).rejects.toMatchObject({ code: 'STORE_INDETERMINATE' })
    await server.resume()
    await eventually('it to be counted, once', async () => {
      return (await server.command('GET', key)) === '101'
    })
  })
})

function listenersOf(client: IoredisClient & NodeJS.EventEmitter): Record<string, number> {
  return Object.fromEntries(
    client.eventNames().map((name) => [String(name), client.listenerCount(name)]),
  )
}

async function connectionsReceived(): Promise<string | undefined> {
  const info = String(await server.command('INFO', 'stats'))
  return /total_connections_received:(\d+)/.exec(info)?.[1]
}
