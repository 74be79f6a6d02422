import type { Store } from '@spillway/core'
import { eventually } from '@spillway/testbed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisStore } from '../src/index.js'
import { type Bench, consume, freshKey, openBench, type TestDriver } from './bench.js'
import { counter } from './counter.js'

const dayMs = 86_400_000
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

test.each([0, -1, 1.5, Number.NaN, 2 ** 53, undefined, '1800000000000000', new Date(0)])(
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
    ['for what the rule needs, rounded up, and a second', 1, 1001],
    ['for what the rule needs, rounded up, and a second', 1500, 1002],
    ['for what the rule needs, rounded up, and a second', 60_000_000, 61_000],
    ['for a year', 365 * dayMs * 1000, 365 * dayMs + 1000],
  ])('%s, by the time of the server: %i µs', async (_, ttlUs, ttlMs) => {
    expect(await ttlGiven(ttlUs, redisStore(driver))).toBe(ttlMs)
  })

  test.each([
    ['for a day at least', 1, dayMs],
    ['for longer where the rule needs it', 2 * dayMs * 1000, 2 * dayMs + 1000],
  ])('%s, by a given clock', async (_, ttlUs, ttlMs) => {
    const store = redisStore(driver, { clock: () => 1.8e15 })
    expect(await ttlGiven(ttlUs, store)).toBe(ttlMs)
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

test('the clock given is what the rule is told, whatever the server thinks', async () => {
  const now = 1_800_000_000_123_456
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
})

/** The TTL in milliseconds that a key gets, as the server was told it. */
async function ttlGiven(ttlUs: number, store: Store): Promise<number> {
  const key = freshKey()
  const told: string[] = []
  const monitor = await driver.client.monitor()
  monitor.on('monitor', (_time: string, [command, of, ttl]: string[]) => {
    if (command === 'PEXPIRE' && of === key) told.push(String(ttl))
  })
  await store.decide(consume(counter({ ttlUs }), key))
  await eventually('the TTL to be seen', () => told.length > 0)
  monitor.disconnect()
  expect(told).toHaveLength(1)
  return Number(told[0])
}

async function ttlOf(key: string): Promise<number> {
  return Number(await bench.server.command('PTTL', key))
}
