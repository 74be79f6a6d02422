import { createLimiter, denyCache } from '@spillway/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { redisStore } from '../src/index.js'
import { type Bench, consume, freshKey, nextTurn, openBench } from './bench.js'
import { counter } from './counter.js'

let bench: Bench

beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

test('a caller denied by the cache costs no Redis command', async () => {
  const store = denyCache(redisStore(await bench.connect()), { maxAgeMs: 60_000 })
  const limiter = createLimiter({ store, policies: { p: counter({ limit: 1 }) } })
  const key = freshKey()
  const first = await limiter.consume(key)
  expect(await limiter.consume(key)).toMatchObject({ allowed: false, source: 'store' })

  bench.proxy.forget()
  for (let i = 0; i < 100; i++) {
    const decisions = await Promise.all(Array.from({ length: 10 }, () => limiter.consume(key)))
    for (const { source } of decisions) expect(source).toBe('cache')
  }
  expect(bench.proxy.seen).toEqual([])

  if (first.allowed) await limiter.refund(first)
  expect(await limiter.consume(key)).toMatchObject({ allowed: true, source: 'store' })
  expect(bench.scriptCommands()).toHaveLength(2)
})

test('what is asked for a caller who has gone by then is not sent', async () => {
  const store = redisStore(await bench.connect())
  const policy = counter()
  const key = freshKey()
  const caller = { gone: false }
  const asked = [undefined, caller, caller].map(async (one) =>
    store.decide(consume(policy, key), one),
  )
  caller.gone = true
  const answers = await Promise.allSettled(asked)
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const answer of answers.slice(1)) {
    expect(answer).toMatchObject({
      reason: { code: 'STORE_UNAVAILABLE', cause: { message: 'its caller has gone' } },
    })
  }
  expect(await bench.server.command('GET', key)).toBe('1')
})

test('where all callers have gone, nothing is sent at all', async () => {
  const driver = await bench.connect()
  const asked = redisStore(driver).decide(consume(counter(), freshKey()), { gone: true })
  await expect(asked).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  await nextTurn()
  expect(driver.calls).toBe(0)
})
