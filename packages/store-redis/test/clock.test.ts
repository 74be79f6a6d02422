import type { Policy, Store } from '@spillway/core'
import { eventually } from '@spillway/testbed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisStore } from '../src/index.js'
import { type Bench, consume, freshKey, openBench, type TestDriver } from './bench.js'
import { counter } from './counter.js'

const day = 86_400
let bench: Bench
let driver: TestDriver

beforeAll(async () => {
  bench = await openBench()
  driver = await bench.connect()
})

afterAll(() => bench.close())

test.each([1.8e15, '1', null, {}])('a clock must be a function: %j', (clock) => {
  // @ts-expect-error: that is what is tested
  expect(() => redisStore(driver, { clock })).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^clock /),
    }),
  )
})

test.each([-1, 1.5, Number.NaN, 2 ** 53, undefined, '1800000000000000', new Date(0)])(
  'a clock must return whole microseconds: %s',
  async (now) => {
    driver.calls = 0
    // @ts-expect-error: that is what is tested
    const store = redisStore(driver, { clock: () => now })
    await expect(store.decide(consume(counter(), freshKey()))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^clock must return whole microseconds since 1970, got /),
    })
    expect(driver.calls).toBe(0)
  },
)

test('a clock that fails is told as what it is, and nothing is sent', async () => {
  driver.calls = 0
  const cause = new Error('no time')
  const store = redisStore(driver, {
    clock: () => {
      throw cause
    },
  })
  await expect(store.decide(consume(counter(), freshKey()))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    cause,
  })
  expect(driver.calls).toBe(0)
})

describe('a key is kept', () => {
  test.each([
    ['for what the rule needs, in whole seconds, and one more', 1, 2],
    ['for what the rule needs, in whole seconds, and one more', 1_000_000, 2],
    ['for what the rule needs, in whole seconds, and one more', 1_000_001, 3],
    ['for a year', 365 * day * 1_000_000, 365 * day + 1],
  ])('%s, by the time of the server: %i µs', async (_, ttlUs, seconds) => {
    expect(await ttlGiven(ttlUs, redisStore(driver))).toBe(seconds)
  })

  test.each([
    ['for a day at least', 1, day],
    ['for longer where the rule needs it', 2 * day * 1_000_000, 2 * day + 1],
  ])('%s, by a given clock', async (_, ttlUs, seconds) => {
    const store = redisStore(driver, { clock: () => 1.8e15 })
    expect(await ttlGiven(ttlUs, store)).toBe(seconds)
  })

  test.each([
    ['is written with its TTL', 60_000_000, ['SETEX', '61', 'kept']],
    ['is not written where nothing is left to remember', 0, ['DEL']],
  ])('the value that a rule answers %s', async (_, ttlUs, expected) => {
    const lua = `
      local function check() return true, 0, 0, 0 end
      local function record(state, now, cost, args) return 0, 0, 0, args[2], 'kept' end
      return { check = check, record = record, give_back = record }
    `
    const policy = counter({ name: 'valued', lua, ttlUs })
    expect(await toldOf(policy, redisStore(driver))).toEqual([expected])
  })

  test('longer with every request that is counted, and not by a look', async () => {
    const store = redisStore(driver)
    const key = freshKey()
    await store.decide(consume(counter({ ttlUs: 50_000_000 }), key))
    await store.decide(consume(counter({ ttlUs: 90_000_000 }), key, 'look'))
    expect(await ttlOf(key)).toBeLessThanOrEqual(51_000)
    await store.decide(consume(counter({ ttlUs: 90_000_000 }), key))
    expect(await ttlOf(key)).toBeGreaterThan(51_000)
  })
})

test.each([1_800_000_000_123_456, 0])(
  'the clock given is what the rule is told, whatever the server thinks: %i',
  async (now) => {
    const lua = `
    local function record(state, now) redis.call('SET', state.key, now) return now, 0, 0, 1 end
    local function check() return true, 0, 0, 0 end
    return { check = check, record = record, give_back = record }
  `
    const store = redisStore(driver, { clock: () => now })
    const key = freshKey()
    const { targets } = await store.decide(consume(counter({ name: 'watch', lua }), key))
    expect(targets[0]!.receipt).toBe(now)
    expect(await bench.server.command('GET', key)).toBe(String(now))
  },
)

/** The TTL in seconds that a key gets, as the server was told it. */
async function ttlGiven(ttlUs: number, store: Store): Promise<number> {
  const told = await toldOf(counter({ ttlUs }), store)
  const [command, ttl] = told.at(-1)!
  expect(command).toBe('EXPIRE')
  return Number(ttl)
}

/** The writes of one request as the server was told them, without the key. */
async function toldOf(policy: Policy, store: Store): Promise<string[][]> {
  const key = freshKey()
  const told: string[][] = []
  const monitor = await driver.client.monitor()
  monitor.on('monitor', (_time: string, [command = '', of, ...rest]: string[]) => {
    if (of === key && command !== 'GET') told.push([command, ...rest])
  })
  await store.decide(consume(policy, key))
  await eventually('the TTL to be seen', () => /^(EXPIRE|SETEX|DEL)$/.test(told.at(-1)?.[0] ?? ''))
  monitor.disconnect()
  return told
}

async function ttlOf(key: string): Promise<number> {
  return Number(await bench.server.command('PTTL', key))
}
