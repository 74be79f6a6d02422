import { once } from 'node:events'
import { eventually, startRedis } from '@spillway/testbed'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { redisStore } from '../src/index.js'
import { type Bench, consume, driverOf, freshKey, openBench } from './bench.js'
import { brokenCounter, counter } from './counter.js'

const policy = counter()
const unhandled: unknown[] = []
let bench: Bench

beforeAll(() => {
  process.on('unhandledRejection', note)
})

afterAll(() => {
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

function note(reason: unknown): void {
  unhandled.push(reason)
}

beforeEach(async () => {
  bench = await openBench(['--busy-reply-threshold', '50'])
})

afterEach(() => bench.close())

const unavailable = (reply: RegExp) => ({
  name: 'SpillwayError',
  code: 'STORE_UNAVAILABLE',
  cause: expect.objectContaining({ message: expect.stringMatching(reply) }),
})

const indeterminate = (reply: RegExp) => ({ ...unavailable(reply), code: 'STORE_INDETERMINATE' })

test('a key of a wrong type fails alone, and nothing is counted for it', async () => {
  const store = redisStore(await bench.connect())
  const [a, spoilt, b] = [freshKey(), freshKey(), freshKey()]
  await bench.server.command('SADD', spoilt, 'a set')
  const answers = await Promise.allSettled([
    store.decide(consume(policy, a)),
    store.decide(consume(policy, spoilt)),
    store.decide({
      mode: 'consume',
      targets: [a, spoilt].map((key) => ({ policy, key, cost: 1 })),
    }),
    store.decide(consume(policy, b)),
  ])
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: { allowed: true } },
    { status: 'rejected', reason: unavailable(/^WRONGTYPE/) },
    { status: 'rejected', reason: unavailable(/^WRONGTYPE/) },
    { status: 'fulfilled', value: { allowed: true } },
  ])
  expect(await bench.server.command('MGET', a, b)).toEqual(['1', '1'])
  expect(bench.scriptCommands()).toEqual(['EVALSHA', 'EVAL'])
})

test('a rule that fails after it has counted is told apart, and fails alone', async () => {
  const store = redisStore(await bench.connect())
  const [a, broken, b] = [freshKey(), freshKey(), freshKey()]
  const answers = await Promise.allSettled([
    store.decide(consume(policy, a)),
    store.decide(consume(brokenCounter, broken)),
    store.decide(consume(policy, b)),
  ])
  expect(answers).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: indeterminate(/arithmetic/) },
    { status: 'fulfilled' },
  ])
  expect(await bench.server.command('MGET', a, b)).toEqual(['1', '1'])
})

test('executed, but the reply was lost: it rejects as indeterminate and was counted once', async () => {
  const store = redisStore(await bench.connect())
  const key = freshKey()
  await store.decide(consume(policy, key))
  bench.proxy.cutAfterRequest('EVALSHA')
  await expect(store.decide(consume(policy, key))).rejects.toMatchObject(indeterminate(/./))
  expect(bench.proxy.cuts).toBe(1)
  await expect(bench.server.command('GET', key)).resolves.toBe('2')
})

test('the reply to the text itself may be lost as well', async () => {
  const store = redisStore(await bench.connect())
  const key = freshKey()
  bench.proxy.cutAfterRequest('EVAL')
  await expect(store.decide(consume(policy, key))).rejects.toMatchObject(indeterminate(/./))
  expect(await bench.server.command('GET', key)).toBe('1')
  await eventually('an answer', () => store.decide(consume(policy, key)))
  expect(await bench.server.command('GET', key)).toBe('2')
})

test('all requests of a lost call reject, each with an error of its own', async () => {
  const store = redisStore(await bench.connect())
  await store.decide(consume(policy, freshKey()))
  bench.proxy.cutAfterRequest('EVALSHA')
  const answers = await Promise.allSettled(
    Array.from({ length: 32 }, async () => store.decide(consume(policy, freshKey()))),
  )
  const reasons = answers.map((answer) => answer.status === 'rejected' && answer.reason)
  for (const reason of reasons) expect(reason).toMatchObject(indeterminate(/./))
  expect(new Set(reasons).size).toBe(32)
})

test('a failed start never poisons later calls', async () => {
  const driver = await bench.connect()
  const store = redisStore(driver)
  const key = freshKey()
  await bench.proxy.refuse()
  await eventually('the client to notice', () => driver.client.status !== 'ready')
  for (let i = 0; i < 3; i++) {
    await expect(store.decide(consume(policy, key))).rejects.toMatchObject(unavailable(/status/))
    await expect(store.forget([key])).rejects.toMatchObject(unavailable(/status/))
  }
  await bench.proxy.accept()
  await eventually('the client to be back', () => driver.client.status === 'ready')
  await expect(store.decide(consume(policy, key))).resolves.toMatchObject({ allowed: true })
  expect(await bench.server.command('GET', key)).toBe('1')
})

test('without the right to a key, or to scripts, nothing is counted', async () => {
  const [mine, theirs] = [freshKey(), freshKey()]
  const set = ['ACL', 'SETUSER', 'limiter', 'on', '>secret']
  await bench.server.command(...set, '+@all', `~${mine}`)
  const store = redisStore(await bench.connect({ username: 'limiter', password: 'secret' }))
  const answers = await Promise.allSettled(
    [mine, theirs].map(async (key) => store.decide(consume(policy, key))),
  )
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: { allowed: true } },
    { status: 'rejected', reason: unavailable(/^NOPERM/) },
  ])
  await expect(store.forget([theirs])).rejects.toMatchObject(unavailable(/^NOPERM/))
  await bench.server.command(...set, '-eval', '-evalsha')
  await expect(store.decide(consume(policy, mine))).rejects.toMatchObject(unavailable(/^NOPERM/))
  expect(await bench.server.command('MGET', mine, theirs)).toEqual(['1', null])
})

test('while another script runs too long, nothing is counted', async () => {
  const driver = await bench.connect()
  const store = redisStore(driver)
  const endless = driver.client.duplicate()
  await once(endless, 'ready')
  const killed = expect(endless.eval('while true do end', 0)).rejects.toThrow(/killed/i)
  await eventually('the server to be busy', () =>
    bench.server.command('PING').then(
      () => false,
      (error: Error) => error.message.startsWith('BUSY'),
    ),
  )
  const key = freshKey()
  await expect(store.decide(consume(policy, key))).rejects.toMatchObject(unavailable(/^BUSY/))
  await bench.server.command('SCRIPT', 'KILL')
  await killed
  await expect(store.decide(consume(policy, key))).resolves.toMatchObject({ allowed: true })
  expect(await bench.server.command('GET', key)).toBe('1')
  endless.disconnect()
})

test('a server that takes no writes counts nothing, and can still be looked at', async () => {
  const store = redisStore(await bench.connect())
  const key = freshKey()
  await store.decide(consume(policy, key))
  await bench.server.command('CONFIG', 'SET', 'min-replicas-to-write', 1)
  await expect(store.decide(consume(policy, key))).rejects.toMatchObject(unavailable(/^NOREPLICAS/))
  await bench.server.command('CONFIG', 'SET', 'min-replicas-to-write', 0)

  const leader = await startRedis({ own: true })
  await bench.server.command('REPLICAOF', leader.host, leader.port)
  await expect(store.decide(consume(policy, key))).rejects.toMatchObject(unavailable(/^READONLY/))
  await expect(store.decide(consume(policy, key, 'look'))).resolves.toMatchObject({ allowed: true })
  await bench.server.command('CONFIG', 'SET', 'replica-serve-stale-data', 'no')
  await leader.stop()
  await eventually('the replica to know that its master is gone', async () =>
    /master_link_status:down/.test(String(await bench.server.command('INFO', 'replication'))),
  )
  await expect(store.decide(consume(policy, key))).rejects.toMatchObject(unavailable(/^MASTERDOWN/))
})

test('a server that is still loading counts nothing', async () => {
  // Each key takes 10 ms to load, until that is called off.
  const slowly = ['--key-load-delay', '10000', '--loading-process-events-interval-bytes', '1024']
  const loading = await startRedis({ own: true, args: [...slowly, '--rdbcompression', 'no'] })
  const text = 'x'.repeat(1000)
  await loading.command('MSET', ...Array.from({ length: 2000 }, (_, i) => [`key${i}`, text]).flat())
  await loading.command('SAVE')
  await loading.restart()
  const client = new Redis(loading.url, { enableReadyCheck: false })
  await once(client, 'ready')
  const store = redisStore(driverOf(client))
  const key = freshKey()
  await expect(store.decide(consume(policy, key))).rejects.toMatchObject(unavailable(/^LOADING/))
  await loading.command('CONFIG', 'SET', 'key-load-delay', 0)
  await eventually('an answer', () => store.decide(consume(policy, key)))
  expect(await loading.command('GET', key)).toBe('1')
  client.disconnect()
  await loading.stop()
})

test('a server without memory left refuses the first write, so that nothing is counted', async () => {
  const store = redisStore(await bench.connect())
  const [known, fresh] = [freshKey(), freshKey()]
  await store.decide(consume(policy, known))
  await bench.server.command('CONFIG', 'SET', 'maxmemory', 1)
  const targets = [known, fresh].map((key) => ({ policy, key, cost: 1 }))
  const refused = await Promise.allSettled([
    store.decide({ mode: 'consume', targets }),
    store.decide(consume(policy, fresh)),
  ])
  const reason = unavailable(/^OOM/)
  expect(refused).toMatchObject([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
  expect(await bench.server.command('MGET', known, fresh)).toEqual(['1', null])
  await bench.server.command('CONFIG', 'SET', 'maxmemory', 0)
  await expect(store.decide(consume(policy, fresh))).resolves.toMatchObject({ allowed: true })
})

test('a script that has begun to write goes on without memory, so what it counts is counted whole', async () => {
  const trimming = counter({
    name: 'trimming-counter',
    lua: policy.algorithm.lua.replace(
      "redis.call('INCRBY'",
      "redis.call('DEL', state.key) + redis.call('INCRBY'",
    ),
  })
  const store = redisStore(await bench.connect())
  const keys = [freshKey(), freshKey()]
  await bench.server.command('CONFIG', 'SET', 'maxmemory', 1)
  await Promise.all(keys.map(async (key) => store.decide(consume(trimming, key))))
  expect(await bench.server.command('MGET', ...keys)).toEqual(['1', '1'])
})

test('a client that is not, or no longer, logged in counts nothing', async () => {
  await bench.server.command('CONFIG', 'SET', 'requirepass', 'secret')
  const driver = await bench.connect({ password: 'secret' })
  await driver.client.call('RESET')
  const forgotten = redisStore(driver).forget([freshKey()])
  await expect(forgotten).rejects.toMatchObject(unavailable(/^NOAUTH/))
})

test('a host of several addresses, none of which answers, is told of with the reason of each', async () => {
  const reasons = ['connect ECONNREFUSED ::1:6379', 'connect ECONNREFUSED 127.0.0.1:6379']
  const cause = new AggregateError(reasons.map((reason) => new Error(reason)))
  const store = redisStore({
    ...(await bench.connect()),
    ready: () => false,
    opened: () => Promise.reject(cause),
  })
  await expect(store.decide(consume(policy, freshKey()))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining(reasons.join('; ')),
    cause,
  })
})
