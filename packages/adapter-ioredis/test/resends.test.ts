import { once } from 'node:events'
import {
  type RedisCluster,
  type RedisProxy,
  startCluster,
  startProxy,
  startRedis,
} from '@spillway/testbed'
import { Cluster as Cluster6, type ClusterNode, Redis as Redis6 } from 'ioredis'
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis5'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask, consume, freshKey } from '../../store-redis/test/bench.js'
import { counter } from '../../store-redis/test/counter.js'
import { ioredisClusterOptions, ioredisOptions, ioredisStore } from '../src/index.js'

const policy = counter()
const emitWarning = vi.spyOn(process, 'emitWarning')

beforeEach(() => {
  emitWarning.mockReset().mockImplementation(() => {})
})
afterAll(() => {
  emitWarning.mockRestore()
})

const lazy = { lazyConnect: true }
const warning = [
  expect.stringContaining('may count a request twice'),
  { type: 'SpillwayWarning', code: 'SPILLWAY_IOREDIS_RESENDS' },
]
const reconnecting = { ...ioredisClusterOptions, clusterNodeRetryStrategy: (): number => 10 }

interface Version {
  readonly name: string
  redis(options: object): Redis5 | Redis6
  cluster(nodes: ClusterNode[], options: object): Cluster5 | Cluster6
}

const versions: readonly Version[] = [
  {
    name: 'ioredis 5',
    redis: (options) => new Redis5({ ...options }),
    cluster: (nodes, options) => new Cluster5(nodes, { ...options }),
  },
  {
    name: 'ioredis 6',
    redis: (options) => new Redis6({ ...options }),
    cluster: (nodes, options) => new Cluster6(nodes, { ...options }),
  },
]

describe.each(versions)('$name', ({ redis, cluster }) => {
  test('a client that would send a call again draws one warning, which says what to do', () => {
    const clients = [redis(lazy), cluster([{ port: 1 }], lazy)]
    for (const client of [...clients, ...clients]) ioredisStore(client)
    expect(emitWarning.mock.calls).toEqual([warning, warning])
    const [one, other] = emitWarning.mock.calls.map(([text]) => String(text))
    expect(one).toContain(' ioredisOptions ')
    expect(other).toContain(' ioredisClusterOptions ')
  })

  test.each([
    ['its default number of retries', {}, [warning]],
    ['endless retries', { maxRetriesPerRequest: null }, [warning]],
    ['one retry', { maxRetriesPerRequest: 1 }, [warning]],
    ['the recommended options', ioredisOptions, []],
    ['no reconnecting', { retryStrategy: null }, []],
  ])('warned of, or not: Redis with %s', (_, options, expected) => {
    ioredisStore(redis({ ...lazy, ...options }))
    expect(emitWarning.mock.calls).toEqual(expected)
  })

  test.each([
    ['its default retries', {}, [warning]],
    ['the recommended options', ioredisClusterOptions, []],
    ['nodes that reconnect and retry by themselves', reconnecting, [warning]],
    [
      'nodes that reconnect and do not retry',
      { ...reconnecting, redisOptions: ioredisOptions },
      [],
    ],
  ])('warned of, or not: a Cluster with %s', (_, options, expected) => {
    ioredisStore(cluster([{ port: 1 }], { ...lazy, ...options }))
    expect(emitWarning.mock.calls).toEqual(expected)
  })

  describe('a lost reply, on Redis', () => {
    test.each([
      ['counts twice by default', {}, undefined, 2],
      ['counts once and rejects with ioredisOptions', ioredisOptions, 'STORE_INDETERMINATE', 1],
    ])('%s', async (_, options, expected, count) => {
      const server = await startRedis({ own: true })
      const proxy = await startProxy(server)
      const client = redis({ port: proxy.port, ...options })
      client.on('error', () => {})
      await once(client, 'ready')
      const store = ioredisStore(client)
      await store.decide(consume(policy, freshKey()))
      const key = freshKey()
      proxy.cutAfterRequest('EVALSHA')
      expect(await codeOf(ask(store, consume(policy, key)))).toBe(expected)
      await client.ping().catch(() => client.ping()) // behind anything sent again
      expect(await server.command('GET', key)).toBe(String(count))
      client.disconnect()
      await proxy.stop()
      await server.stop()
    })
  })
})

describe('a lost reply, on a Cluster', () => {
  let cluster: RedisCluster
  let proxies: RedisProxy[]
  beforeAll(async () => {
    cluster = await startCluster()
    proxies = await Promise.all(cluster.nodes.map(startProxy))
  })
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await cluster.stop()
  })
  const open: { close(): void }[] = []
  afterEach(() => {
    for (const one of open.splice(0)) one.close()
  })

  const indeterminate = 'STORE_INDETERMINATE'
  describe.each(versions)('$name', (version) => {
    test.each([
      ['counts twice by default', {}, undefined, 2],
      [
        'counts once and rejects with ioredisClusterOptions',
        ioredisClusterOptions,
        indeterminate,
        1,
      ],
      ['counts twice where nodes reconnect and retry', reconnecting, undefined, 2],
      [
        'counts once where nodes reconnect and do not retry',
        { ...reconnecting, redisOptions: ioredisOptions },
        indeterminate,
        1,
      ],
    ])('%s', async (_, options, expected, count) => {
      const natMap = Object.fromEntries(
        cluster.nodes.map(({ host, port }, i) => [`${host}:${port}`, proxies[i]!]),
      )
      const client = version.cluster(proxies, { ...options, natMap })
      client.on('error', () => {})
      open.push({ close: () => client.disconnect() })
      await once(client, 'ready')
      const store = ioredisStore(client)
      const key = `${freshKey()} on a cluster`
      await store.decide(consume(policy, key, 'look'))
      const owner = await cluster.slotOwner(await cluster.slotOf(key))
      proxies[cluster.nodes.indexOf(owner)]!.cutAfterRequest('EVALSHA')
      expect(await codeOf(ask(store, consume(policy, key)))).toBe(expected)
      await ask(store, consume(policy, key, 'look')).catch(() => {})
      await ask(store, consume(policy, key, 'look')).catch(() => {})
      expect(await owner.command('GET', key)).toBe(String(count))
      await owner.command('DEL', key)
    })
  })
})

async function codeOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => undefined,
    (error: { readonly code: unknown }) => error.code,
  )
}
