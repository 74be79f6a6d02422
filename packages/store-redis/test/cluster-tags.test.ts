import { type RedisCluster, startCluster } from '@spillway/testbed'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clusterTags } from '../src/cluster-tags.js'
import { type RedisDriver, redisStore } from '../src/index.js'
import { crc16, slots, slotTag } from '../src/slot.js'
import { consume, freshKey } from './bench.js'
import { counter } from './counter.js'

const policy = counter()
const slotOf = (key: string): number => crc16(slotTag(key)) % slots

test('the checksum is the one that the Cluster specification gives', () => {
  expect(crc16('123456789')).toBe(0x31c3)
})

test('the stored format: the tag stands in front of the braces of the key, and only there', () => {
  const keyOf = clusterTags(12)
  expect(keyOf('app:api:gcra:{user:42}')).toBe('app:api:gcra:{12.4.12}{user:42}')
  expect(keyOf('app:api:gcra:{user:43}user:42')).toBe('app:api:gcra:{12.9.13}{user:43}user:42')
  expect(keyOf('app:api:gcra:{ümläut}')).toBe('app:api:gcra:{12.0.2}{ümläut}')
})

test.each([1, 2, 3, 12, 48, 1024])('%i tags lie in as many equal parts of the slots', (count) => {
  const keyOf = clusterTags(count)
  const parts = new Set<number>()
  for (let i = 0; parts.size < count && i < 100 * count; i++) {
    parts.add(Math.floor((slotOf(keyOf(`a:b:c:{user:${i}}`)) * count) / slots))
  }
  expect(parts.size).toBe(count)
})

test('keys are spread over the tags, and keys of one slot stay together', () => {
  const keyOf = clusterTags(12)
  const counts = new Map<number, number>()
  for (let i = 0; i < 12_000; i++) {
    const slot = slotOf(keyOf(`a:b:c:{user:${i}}`))
    expect(slotOf(keyOf(`x:y:z:{user:${i}}and more`))).toBe(slot)
    counts.set(slot, (counts.get(slot) ?? 0) + 1)
  }
  expect(counts.size).toBe(12)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
})

test.each([0, -1, 1.5, 1025, '12' as never])('clusterTags %s is misuse', (count) => {
  const driver = {} as RedisDriver
  expect(() => redisStore(driver, { clusterTags: count })).toThrow(/^clusterTags must be/)
})

describe('on a Cluster', () => {
  let cluster: RedisCluster
  let client: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
    client = new Cluster([...cluster.nodes])
  })
  afterAll(async () => {
    client.disconnect()
    await cluster.stop()
  })

  test('requests of one turn go out in a call for each tag, and each counts once', async () => {
    const sent: (readonly string[])[] = []
    const driver: RedisDriver = {
      name: 'ioredis',
      clustered: true,
      ready: () => client.status === 'ready',
      opened: () => new Promise((resolve) => void client.once('ready', resolve)),
      evalsha: (sha, keys, args) => {
        sent.push(keys)
        return client.evalsha(sha, keys.length, ...keys, ...args)
      },
      eval: (text, keys, args) => client.eval(text, keys.length, ...keys, ...args),
      del: (keys) => client.del(...keys),
    }
    const store = redisStore(driver, { clusterTags: 12 })
    await store.decide(consume(policy, freshKey()))
    sent.length = 0

    const keys = Array.from({ length: 100 }, freshKey)
    for (let round = 1; round <= 2; round++) {
      const rulings = await Promise.all(keys.map(async (key) => store.decide(consume(policy, key))))
      expect(rulings.map(({ targets }) => targets[0]!.receipt)).toEqual(keys.map(() => round))
    }
    expect(sent).toHaveLength(2 * 12)
    for (const [first, ...others] of sent) {
      expect(new Set(others.map(slotOf))).toEqual(new Set([await cluster.slotOf(first!)]))
    }
    await store.forget(keys)
    const [{ targets }] = [await store.decide(consume(policy, keys[0]!))]
    expect(targets[0]!.receipt).toBe(1)
  })
})
