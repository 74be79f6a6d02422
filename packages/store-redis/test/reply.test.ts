import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RedisDriver, redisStore } from '../src/index.js'
import { type Bench, consume, freshKey, openBench } from './bench.js'
import { counter } from './counter.js'

const policy = counter({ limit: 10 })

/** A driver whose server would answer anything. */
function answering(reply: unknown): RedisDriver {
  return {
    name: 'any',
    clustered: false,
    ready: () => true,
    opened: async () => {},
    evalsha: async () => reply,
    eval: async () => reply,
    del: async () => reply,
  }
}

// Of one target: remaining, receipt, reset; or, denied: -1 - remaining, wait, reset
const good = [9, 1, 60]
const denied = [-1, 30, 60]
const put = (index: number, item: unknown) => good.map((known, i) => (i === index ? item : known))

describe('a reply that the script cannot have given is an error, never an allow:', () => {
  test.each<[string, unknown]>([
    ['no reply', undefined],
    ['null', null],
    ['a status', 'OK'],
    ['a number', 1],
    ['a map', { 0: 9, length: 3 }],
    ['an empty list', []],
    ['too short a list', good.slice(0, 2)],
    ['too long a list', [...good, 1]],
    ['a list of lists', [good]],
    ['a list of nulls', Array(3).fill(null)],
    ['an unknown failure', [-1, -3, 'ERR']],
    ['a failure without its message and more', [-1]],
    ['remaining above the capacity', put(0, 11)],
    ['remaining above the capacity, denied', [-12, 30, 60]],
    ['remaining a fraction', put(0, 8.5)],
    ['remaining true', put(0, true)],
    ['remaining null', put(0, null)],
    ['a wait that is negative, where something remains', [-2, -1, 60]],
    ['a wait that is no number', [-1, Number.NaN, 60]],
    ['a delay that is missing', put(1, -2)],
    ['a delay of nothing', [...put(1, -2), 0]],
    ['a reset that is negative', put(2, -1)],
    ['a reset without end', put(2, Number.POSITIVE_INFINITY)],
    ['a receipt that is not exact', put(1, 2 ** 53)],
    ['words', put(0, 'nine')],
    ['an empty string', put(0, '')],
    ['a blank', put(0, ' ')],
    ['a fraction as a string', put(0, '8.5')],
    ['another base', put(0, '0x9')],
    ['an exponent', put(0, '9e0')],
    ['a list where a number should be', put(0, [9])],
    ['half an answer behind a whole one', [...good, 1, 9]],
  ])('%s', async (_, reply) => {
    await expect(redisStore(answering(reply)).decide(consume(policy, 'key'))).rejects.toMatchObject(
      {
        name: 'SpillwayError',
        code: 'STORE_INDETERMINATE',
        cause: expect.any(Error),
      },
    )
  })
})

test.each<[string, readonly unknown[]]>([
  ['numbers', good],
  ['strings', good.map(String)],
  ['buffers', good.map((item) => Buffer.from(String(item)))],
  ['big integers', good.map(BigInt)],
])('integers may come as %s', async (_, reply) => {
  const { targets } = await redisStore(answering(reply)).decide(consume(policy, 'key'))
  expect(targets).toEqual([{ allowed: true, remaining: 9, wait: 0, reset: 60, receipt: 1 }])
})

test('a denial has a wait, and an allowed request may have one behind its targets', async () => {
  const [no] = (await redisStore(answering(denied)).decide(consume(policy, 'key'))).targets
  expect(no).toEqual({ allowed: false, remaining: 0, wait: 30, reset: 60, receipt: 0 })
  const [later] = (await redisStore(answering([9, -2, 60, 30])).decide(consume(policy, 'key')))
    .targets
  expect(later).toEqual({ allowed: true, remaining: 9, wait: 30, reset: 60, receipt: 1 })
})

test('a reply that does not fit fails every request of its call', async () => {
  const store = redisStore(answering([...good, ...put(0, 11)]))
  const answers = await Promise.allSettled([
    store.decide(consume(policy, 'one')),
    store.decide(consume(policy, 'two')),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

describe('on Redis', () => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench.close())

  test.each([2, 3] as const)('RESP%i, integers as numbers or as strings', async (protocol) => {
    for (const stringNumbers of [false, true]) {
      const store = redisStore(await bench.connect({ protocol, stringNumbers }))
      const key = freshKey()
      for (let i = 1; i <= 11; i++) {
        const { allowed, targets } = await store.decide(consume(policy, key))
        expect({ allowed, ...targets[0] }).toMatchObject({
          allowed: i <= 10,
          remaining: Math.max(0, 10 - i),
          receipt: i <= 10 ? i : 0,
        })
      }
      await bench.server.command('SADD', 'wrong', 'type')
      await expect(store.decide(consume(policy, 'wrong'))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      })
      await bench.server.command('DEL', 'wrong')
    }
  })

  test('a request that fails at its last target leaves nothing of the others behind', async () => {
    const store = redisStore(await bench.connect())
    await bench.server.command('SADD', 'wrong', 'type')
    const targets = [freshKey(), freshKey(), 'wrong'].map((key) => ({ policy, key, cost: 1 }))
    await expect(store.decide({ mode: 'consume', targets })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    })
    await bench.server.command('DEL', 'wrong')
  })
})
