import { afterEach, beforeEach, expect, test } from 'vitest'
import { redisStore } from '../src/index.js'
import { type Bench, consume, freshKey, openBench } from './bench.js'
import { counter } from './counter.js'

const policy = counter()
const other = counter({ name: 'other-counter' })
let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})

afterEach(() => bench.close())

test('the text is sent once, when the server does not know it, and never again', async () => {
  const store = redisStore(await bench.connect())
  for (let i = 0; i < 3; i++) await store.decide(consume(policy, freshKey()))
  expect(bench.scriptCommands()).toEqual(['EVALSHA', 'EVAL', 'EVALSHA', 'EVALSHA'])
})

test('one script serves all numbers, stores and clients', async () => {
  for (let limit = 1; limit <= 10; limit++) {
    const store = redisStore(await bench.connect())
    await Promise.all([
      store.decide(consume(counter({ limit }), freshKey())),
      store.decide(consume(counter({ limit, ttlUs: limit }), freshKey())),
      store.decide(consume(counter({ limit }), freshKey(), 'look')),
    ])
  }
  expect(await cachedScripts()).toBe(1)
})

test('one set of algorithms is one script, in whatever order they are met', async () => {
  const [one, two] = [redisStore(await bench.connect()), redisStore(await bench.connect())]
  await Promise.all([policy, other].map(async (each) => one.decide(consume(each, freshKey()))))
  expect(await cachedScripts()).toBe(1)
  await Promise.all([other, policy].map(async (each) => two.decide(consume(each, freshKey()))))
  expect(await cachedScripts()).toBe(1)
})

test('requests under several algorithms are decided in one call', async () => {
  const store = redisStore(await bench.connect())
  const [a, b] = [freshKey(), freshKey()]
  const targets = [
    { policy, key: a, cost: 2 },
    { policy: other, key: b, cost: 3 },
  ]
  const { allowed } = await store.decide({ mode: 'consume', targets })
  expect(allowed).toBe(true)
  expect(await bench.server.command('MGET', a, b)).toEqual(['2', '3'])
})

test('a script cache flushed between calls costs one EVAL and no count', async () => {
  const store = redisStore(await bench.connect())
  const key = freshKey()
  for (let i = 1; i <= 4; i++) {
    const { targets } = await store.decide(consume(policy, key))
    expect(targets[0]!.receipt).toBe(i)
    await bench.server.command('SCRIPT', 'FLUSH')
  }
  expect(bench.scriptCommands()).toEqual(Array(4).fill(['EVALSHA', 'EVAL']).flat())
})

test('a script cache flushed during calls loses no request and counts none twice', async () => {
  const store = redisStore(await bench.connect())
  const key = freshKey()
  const receipts: number[] = []
  for (let round = 0; round < 40; round++) {
    const flushed = bench.server.command('SCRIPT', 'FLUSH')
    const answers = Array.from({ length: 50 }, async () => store.decide(consume(policy, key)))
    for (const { targets } of await Promise.all(answers)) receipts.push(targets[0]!.receipt)
    await flushed
  }
  expect(bench.proxy.count('EVAL')).toBeGreaterThan(0)
  expect(receipts.sort((a, b) => a - b)).toEqual(Array.from({ length: 2000 }, (_, i) => i + 1))
  expect(await bench.server.command('GET', key)).toBe('2000')
})

test('two versions of one algorithm are refused, and the first one stays in use', async () => {
  const store = redisStore(await bench.connect())
  const altered = counter({ lua: `${policy.algorithm.lua}\n` })
  await store.decide(consume(policy, freshKey()))
  await expect(store.decide(consume(altered, freshKey()))).rejects.toMatchObject({
    name: 'SpillwayError',
    code: 'CONTRACT_MISMATCH',
    message: expect.stringContaining('"counter"'),
  })
  await expect(store.decide(consume(policy, freshKey()))).resolves.toMatchObject({ allowed: true })
})

test('every key that is touched was declared, and no command is needed beyond a few', async () => {
  const [a, b] = [freshKey(), freshKey()]
  await bench.server.command(
    ...['ACL', 'SETUSER', 'limiter', 'on', '>secret', '-@all', '+ping', '+info', '+hello'],
    ...[
      '+client',
      '+evalsha',
      '+eval',
      '+time',
      '+expire',
      '+setex',
      '+del',
      '+get',
      '+incrby',
      '+decrby',
    ],
    ...[`~${a}`, `~${b}`],
  )
  const store = redisStore(await bench.connect({ username: 'limiter', password: 'secret' }))
  const target = { policy, key: a, cost: 1 }
  for (const mode of ['look', 'consume', 'charge'] as const) {
    const targets = [target, { policy: other, key: b, cost: 1 }]
    expect(await store.decide({ mode, targets })).toMatchObject({ allowed: true })
  }
  await store.decide({ mode: 'giveBack', targets: [{ ...target, receipt: 1 }] })
  await store.forget([a, b])
})

async function cachedScripts(): Promise<number> {
  const info = String(await bench.server.command('INFO', 'memory'))
  return Number(/number_of_cached_scripts:(\d+)/.exec(info)?.[1])
}
