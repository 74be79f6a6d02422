import type { Store } from '@spillway/core'
import {
  type ClusterNode,
  eventually,
  type RedisCluster,
  type RedisProxy,
  startCluster,
  startProxy,
} from '@spillway/testbed'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, consume } from './bench.js'
import { counter } from './counter.js'
import type { StartedClient } from './driver-recovery.js'

interface Address {
  readonly host: string
  readonly port: number
}

/** A kind of Cluster client, with its recommended options, behind a store. */
export interface ClusterClientUnderTest {
  readonly name: string
  /**
   * Starts to connect.
   *
   * @param addresses where each node, by what the nodes call themselves (`host:port`), is reached
   */
  start(addresses: Readonly<Record<string, Address>>): StartedClient
}

const policy = counter()
let tags = 0

/** Makes the tests that every adapter must pass with every Cluster client. */
export function staysExactInACluster(clients: readonly ClusterClientUnderTest[]): void {
  let cluster: RedisCluster
  let proxies: ReadonlyMap<ClusterNode, RedisProxy>

  beforeAll(async () => {
    cluster = await startCluster()
    proxies = new Map(
      await Promise.all(cluster.nodes.map(async (node) => [node, await startProxy(node)] as const)),
    )
  })
  afterAll(async () => {
    await Promise.all([...proxies.values()].map((proxy) => proxy.stop()))
    await cluster.stop()
  })

  describe.each(clients)('$name', (client) => {
    let started: StartedClient
    let store: Store
    let tag: string
    let owner: ClusterNode
    let other: ClusterNode

    beforeEach(async () => {
      tags += 1
      tag = `{tag ${tags}}`
      owner = await cluster.slotOwner(await cluster.slotOf(tag))
      other = cluster.nodes.find((node) => node !== owner)!
      const addresses = [...proxies].map(([{ host, port }, proxy]) => [`${host}:${port}`, proxy])
      started = client.start(Object.fromEntries(addresses))
      store = started.store
      await recovered(tag)
    })
    afterEach(() => started.close())

    test('requests of many slots are counted once each', async () => {
      const keys = Array.from({ length: 20 }, (_, i) => `many:{${tags} ${i}}`)
      for (let round = 0; round < 3; round++) {
        await Promise.all([...keys, ...keys].map(async (key) => store.decide(consume(policy, key))))
      }
      for (const key of keys) expect(await countOf(key)).toBe(6)
      await store.forget(keys)
      for (const key of keys) expect(await countOf(key)).toBe(0)
    })

    test('keys of one request must share a slot', async () => {
      const targets = [`a:{${tags}}`, `b:{other ${tags}}`].map((key) => ({ policy, key, cost: 1 }))
      await expect(store.decide({ mode: 'consume', targets })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('slotBy'),
      })
    })

    test('a flushed script cache costs no count', async () => {
      const key = `flush:${tag}`
      for (let round = 0; round < 5; round++) {
        const flushed = cluster.nodes.map((node) => node.command('SCRIPT', 'FLUSH'))
        const answers = Array.from({ length: 40 }, () => store.decide(consume(policy, key)))
        await Promise.all([...flushed, ...answers])
      }
      expect(await countOf(key)).toBe(200)
    })

    test('a lost reply rejects as indeterminate, and the request was counted once', async () => {
      const key = `lost:${tag}`
      await store.decide(consume(policy, key))
      proxies.get(owner)!.cutAfterRequest('EVALSHA')
      await expect(store.decide(consume(policy, key))).rejects.toMatchObject({
        code: 'STORE_INDETERMINATE',
        cause: expect.any(Error),
      })
      await recovered(tag)
      expect(await countOf(key)).toBe(2)
      await store.decide(consume(policy, key))
      expect(await countOf(key)).toBe(3)
    })

    test('a slot half way to another node: ASK, then MOVED, and every count is kept', async () => {
      const [moved, kept, fresh] = [`moved:${tag}`, `kept:${tag}`, `fresh:${tag}`]
      const all = [moved, kept, fresh]
      await Promise.all([moved, kept].map(async (key) => store.decide(consume(policy, key))))
      const migration = await cluster.beginMigration(await cluster.slotOf(tag), other)
      await migration.moveKeys(moved)
      for (const key of all) await store.decide(consume(policy, key)) // one by one
      await migration.moveKeys()
      await migration.finish()
      await Promise.all(all.map(async (key) => store.decide(consume(policy, key))))
      expect(await Promise.all(all.map(countOf))).toEqual([3, 3, 2])
    })

    test('TRYAGAIN: nothing is counted for a pair of which half has moved, and others pass', async () => {
      const pair = [`a:${tag}`, `b:${tag}`]
      const both = {
        mode: 'consume',
        targets: pair.map((key) => ({ policy, key, cost: 1 })),
      } as const
      await store.decide(both)
      const migration = await cluster.beginMigration(await cluster.slotOf(tag), other)
      await migration.moveKeys(pair[0]!)
      // Gathered into one call, which is refused as a whole, and then sent one by one.
      const answers = await Promise.allSettled([
        store.decide(consume(policy, pair[0]!)),
        store.decide(consume(policy, pair[1]!)),
        store.decide(both),
      ])
      expect(answers).toMatchObject([
        { status: 'fulfilled', value: { allowed: true } },
        { status: 'fulfilled', value: { allowed: true } },
        { status: 'rejected', reason: { code: 'STORE_UNAVAILABLE', cause: expect.any(Error) } },
      ])
      await migration.moveKeys()
      await migration.finish()
      expect(await Promise.all(pair.map(countOf))).toEqual([2, 2])
      await store.decide(both)
      expect(await Promise.all(pair.map(countOf))).toEqual([3, 3])
    })

    test('under load, a slot that moves there and back loses no count and adds none', async () => {
      const keys = Array.from({ length: 8 }, (_, i) => `load:${tag}${i}`)
      const slot = await cluster.slotOf(tag)
      const counted = new Map(keys.map((key) => [key, 0]))
      const failures: unknown[] = []
      let moving = true
      const load = Promise.all(
        keys.map(async (key) => {
          while (moving) {
            await ask(store, consume(policy, key)).then(
              () => counted.set(key, counted.get(key)! + 1),
              (error) => failures.push(error),
            )
          }
        }),
      )
      for (const to of [other, owner]) {
        const migration = await cluster.beginMigration(slot, to)
        for (const key of keys) await migration.moveKeys(key)
        await migration.finish()
      }
      moving = false
      await load
      // A refused request was not counted; none is in doubt.
      for (const error of failures) expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
      for (const key of keys) expect([key, await countOf(key)]).toEqual([key, counted.get(key)])
    })

    test('a node that is down fails its own keys, at once, and no others', async () => {
      const elsewhere = await keyOf(other)
      const here = `down:${tag}`
      await store.decide(consume(policy, elsewhere))
      await proxies.get(owner)!.refuse()
      try {
        await eventually('its keys to fail', async () => (await codeOf(here)) !== 'answered')
        for (let i = 0; i < 3; i++) {
          const startedAt = performance.now()
          expect(await codeOf(here)).toMatch(/^STORE_/)
          expect(performance.now() - startedAt).toBeLessThan(3000)
          expect(await codeOf(elsewhere)).toBe('answered')
        }
      } finally {
        await proxies.get(owner)!.accept()
      }
      await recovered(here)
      expect(await countOf(elsewhere)).toBe(1)
    })

    async function keyOf(node: ClusterNode): Promise<string> {
      for (let i = 0; ; i++) {
        const key = `elsewhere:{${tags} ${i}}`
        if ((await cluster.slotOwner(await cluster.slotOf(key))) === node) return key
      }
    }

    async function countOf(key: string): Promise<number> {
      const node = await cluster.slotOwner(await cluster.slotOf(key))
      return Number(await node.command('GET', key))
    }

    async function codeOf(key: string): Promise<unknown> {
      return ask(store, consume(policy, key, 'look')).then(
        () => 'answered',
        (error: { readonly code: unknown }) => error.code,
      )
    }

    async function recovered(key: string): Promise<void> {
      await eventually('an answer', async () => (await codeOf(key)) === 'answered', 30_000)
    }
  })
}
