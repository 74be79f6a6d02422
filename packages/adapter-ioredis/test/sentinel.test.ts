import { eventually, type RedisSentinel, startSentinel } from '@spillway/testbed'
import { Redis as Redis6 } from 'ioredis'
import { Redis as Redis5 } from 'ioredis5'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, consume, freshKey } from '../../store-redis/test/bench.js'
import { counter } from '../../store-redis/test/counter.js'
import { ioredisOptions, ioredisStore } from '../src/index.js'

const policy = counter()
let pair: RedisSentinel

beforeAll(async () => {
  pair = await startSentinel()
})
afterAll(() => pair.stop())

test.each([
  { version: 'ioredis 5', open: (options: object) => new Redis5({ ...options }) },
  { version: 'ioredis 6', open: (options: object) => new Redis6({ ...options }) },
])('$version, through Sentinel: counts go on at the new master', async ({ open }) => {
  const { sentinels, name } = pair
  const client = open({ ...ioredisOptions, sentinels, name })
  client.on('error', () => {})
  const store = ioredisStore(client)
  const key = freshKey()
  for (let i = 1; i <= 3; i++) await store.decide(consume(policy, key))
  expect(await pair.master.command('GET', key)).toBe('3')
  await eventually('the replica to have it', async () => {
    return (await pair.replica.command('GET', key)) === '3'
  })

  await pair.failover()
  let inDoubt = 0
  await eventually('an answer', async () => {
    await ask(store, consume(policy, key)).catch((error) => {
      if (error.code === 'STORE_INDETERMINATE') inDoubt += 1
      throw error
    })
    return true
  })
  const count = Number(await pair.master.command('GET', key))
  expect(count).toBeGreaterThanOrEqual(4)
  expect(count).toBeLessThanOrEqual(4 + inDoubt)
  client.disconnect()
})
