import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type RedisSentinel, startSentinel } from '../src/index.js'
import { redisCommand } from '../src/redis-command.js'

let pair: RedisSentinel

beforeAll(async () => {
  pair = await startSentinel({ sentinels: 3 })
})

afterAll(() => pair.stop())

function masterAccordingTo({ port }: { readonly port: number }) {
  const ask = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', pair.name]
  return redisCommand(`redis://127.0.0.1:${port}`, ask)
}

test('what is written to the master is read from the replica, which takes no writes', async () => {
  await pair.master.command('SET', 'key', 'value')
  await eventually('the replica to follow', async () => {
    return (await pair.replica.command('GET', 'key')) === 'value'
  })
  await expect(pair.replica.command('SET', 'key', 'other')).rejects.toThrow(/^READONLY/)
})

test('a failover swaps the two, and every sentinel says so', async () => {
  const { master, replica } = pair
  await pair.failover()
  expect(pair.master).toBe(replica)
  expect(pair.replica).toBe(master)
  for (const sentinel of pair.sentinels) {
    expect(await masterAccordingTo(sentinel)).toEqual(['127.0.0.1', String(replica.port)])
  }
  expect(await pair.master.command('SET', 'key', 'after')).toBe('OK')
})

test('a killed master is replaced without being asked', async () => {
  const { replica } = pair
  await pair.master.kill()
  await pair.failedOver()
  expect(pair.master).toBe(replica)
  expect(await pair.master.command('SET', 'key', 'again')).toBe('OK')
})
