import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClusterNode, type RedisCluster, startCluster } from '../src/index.js'

let cluster: RedisCluster

beforeAll(async () => {
  cluster = await startCluster()
})

afterAll(() => cluster.stop())

function otherThan(owner: ClusterNode): ClusterNode {
  const other = cluster.nodes.find((node) => node !== owner)
  if (!other) throw new Error('a cluster of one')
  return other
}

test('every node knows the owner of every slot, from the first moment', async () => {
  const views = await Promise.all(cluster.nodes.map((node) => node.command('CLUSTER', 'SLOTS')))
  for (const view of views) expect(view).toHaveLength(3)
  for (const slot of [0, 5460, 5461, 10_922, 10_923, 16_383]) {
    const owner = await cluster.slotOwner(slot)
    for (const node of cluster.nodes.filter((node) => node !== owner)) {
      const keysOfSlot = await node.command('CLUSTER', 'COUNTKEYSINSLOT', slot)
      expect(keysOfSlot).toBe(0)
    }
  }
})

test('a key is served by the owner of its slot, and any other node says where that is', async () => {
  const slot = await cluster.slotOf('somebody')
  const owner = await cluster.slotOwner(slot)
  expect(await owner.command('SET', 'somebody', 1)).toBe('OK')
  await expect(otherThan(owner).command('GET', 'somebody')).rejects.toMatchObject({
    code: 'REPLY',
    message: `MOVED ${slot} 127.0.0.1:${owner.port}`,
  })
})

test('keys with one hash tag share a slot', async () => {
  expect(await cluster.slotOf('a:{tag}:b')).toBe(await cluster.slotOf('{tag}'))
})

describe('a slot in migration', () => {
  test('answers ASK for a key that moved, TRYAGAIN for half a pair, and MOVED at the end', async () => {
    const slot = await cluster.slotOf('{pair}')
    const from = await cluster.slotOwner(slot)
    const to = otherThan(from)
    await from.command('SET', '{pair}:1', 'one')
    await from.command('SET', '{pair}:2', 'two')
    const migration = await cluster.beginMigration(slot, to)
    await expect(from.command('GET', '{pair}:none')).rejects.toThrow(/^ASK/)

    await migration.moveKeys('{pair}:1')
    await expect(from.command('GET', '{pair}:1')).rejects.toThrow(
      `ASK ${slot} 127.0.0.1:${to.port}`,
    )
    expect(await from.command('GET', '{pair}:2')).toBe('two')
    await expect(from.command('MGET', '{pair}:1', '{pair}:2')).rejects.toThrow(/^TRYAGAIN/)

    await migration.moveKeys()
    await migration.finish()
    expect(await cluster.slotOwner(slot)).toBe(to)
    expect(await to.command('MGET', '{pair}:1', '{pair}:2')).toEqual(['one', 'two'])
    for (const node of cluster.nodes.filter((node) => node !== to)) {
      await expect(node.command('GET', '{pair}:1')).rejects.toThrow(
        `MOVED ${slot} 127.0.0.1:${to.port}`,
      )
    }
  })

  test('can be called off, and nothing is lost', async () => {
    const slot = await cluster.slotOf('{off}')
    const owner = await cluster.slotOwner(slot)
    await owner.command('SET', '{off}:1', 'one')
    const migration = await cluster.beginMigration(slot, otherThan(owner))
    await migration.moveKeys('{off}:1')
    await migration.abort()
    expect(await owner.command('GET', '{off}:1')).toBe('one')
    expect(await cluster.slotOwner(slot)).toBe(owner)
  })
})

test('a slot moves with its keys, there and back', async () => {
  const slot = await cluster.slotOf('{move}')
  const home = await cluster.slotOwner(slot)
  await home.command('SET', '{move}', 'data')
  await cluster.moveSlot(slot, otherThan(home))
  expect(await otherThan(home).command('GET', '{move}')).toBe('data')
  await cluster.moveSlot(slot, home)
  expect(await home.command('GET', '{move}')).toBe('data')
})

test('one node alone is a cluster, and says where it is', async () => {
  const alone = await startCluster({ nodes: 1 })
  try {
    const [node] = alone.nodes
    expect(await node!.command('CLUSTER', 'SLOTS')).toEqual([
      [0, 16_383, [node!.host, node!.port, node!.id, expect.anything()]],
    ])
  } finally {
    await alone.stop()
  }
})

test('no nodes are no cluster', async () => {
  await expect(startCluster({ nodes: 0 })).rejects.toThrow(
    'nodes must be a positive integer, got 0',
  )
})
