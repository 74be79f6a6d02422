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

// allowed, remaining, wait, reset, receipt
const good = [1, 9, 0, 60, 1]
const put = (index: number, item: unknown) => good.map((known, i) => (i === index ? item : known))

describe('a reply that the script cannot have given is an error, never an allow:', () => {
  test.each<[string, unknown]>([
    ['no reply', undefined],
    ['null', null],
    ['a status', 'OK'],
    ['a number', 1],
    ['a map', { 0: 1, length: 5 }],
    ['an empty list', []],
    ['too short a list', good.slice(0, 4)],
    ['too long a list', [...good, 1]],
    ['a list of lists', [good]],
    ['a list of nulls', Array(5).fill(null)],
    ['allowed neither 0 nor 1', put(0, 2)],
    ['allowed true', put(0, true)],
    ['an unknown failure', [-3, 'ERR']],
    ['a failure without its message and more', [-1]],
    ['remaining above the capacity', put(1, 11)],
    ['remaining negative', put(1, -1)],
    ['remaining a fraction', put(1, 8.5)],
    ['remaining null', put(1, null)],
    ['a wait that is negative', put(2, -1)],
    ['a wait that is no number', put(2, Number.NaN)],
    ['a reset without end', put(3, Number.POSITIVE_INFINITY)],
    ['a receipt that is not exact', put(4, 2 ** 53)],
    ['words', put(1, 'nine')],
    ['an empty string', put(1, '')],
    ['a blank', put(1, ' ')],
    ['a fraction as a string', put(1, '8.5')],
    ['another base', put(1, '0x9')],
    ['an exponent', put(1, '9e0')],
    ['a list where a number should be', put(1, [9])],
    ['a failure in the second half of a pair', [...good, 1, 9]],
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

test('a reply that does not fit fails every request of its call', async () => {
  const store = redisStore(answering([...good, ...put(1, 11)]))
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
})
