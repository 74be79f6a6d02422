import type { Store } from '@spillway/core'
import { eventually } from '@spillway/testbed'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, type Bench, consume, freshKey, openBench } from './bench.js'
import { counter } from './counter.js'

/** A kind of client, with its recommended options, behind a store. */
export interface ClientUnderTest {
  readonly name: string
  /** Starts to connect to a port of 127.0.0.1, and does not wait until it has. */
  start(port: number, password?: string): StartedClient
}

export interface StartedClient {
  readonly store: Store
  close(): Promise<void>
}

const policy = counter()

/** Makes the tests that every adapter must pass with every client: what happens when, and the exact counts afterwards. */
export function recoversFromEverything(clients: readonly ClientUnderTest[]): void {
  describe.each(clients)('$name', (client) => {
    const unhandled: unknown[] = []
    let bench: Bench
    let started: StartedClient[]

    beforeAll(() => {
      process.on('unhandledRejection', note)
    })
    afterAll(() => {
      process.off('unhandledRejection', note)
      expect(unhandled).toEqual([])
    })
    beforeEach(async () => {
      started = []
      bench = await openBench()
    })
    afterEach(async () => {
      await Promise.all(started.map((one) => one.close()))
      await bench.close()
    })

    test('every request is counted once', async () => {
      const store = await connect()
      const key = freshKey()
      for (let round = 1; round <= 3; round++) {
        const answers = Array.from({ length: 100 }, async () => store.decide(consume(policy, key)))
        await Promise.all(answers)
        expect(await countOf(key)).toBe(100 * round)
      }
      await store.forget([key])
      expect(await countOf(key)).toBe(0)
    })

    test('a flushed script cache costs no count', async () => {
      const store = await connect()
      const key = freshKey()
      for (let round = 0; round < 10; round++) {
        const flushed = bench.server.command('SCRIPT', 'FLUSH')
        const answers = Array.from({ length: 40 }, () => store.decide(consume(policy, key)))
        await Promise.all([flushed, ...answers])
      }
      expect(await countOf(key)).toBe(400)
    })

    test('a lost reply rejects as indeterminate, and the request was counted once', async () => {
      const store = await connect()
      const key = freshKey()
      await store.decide(consume(policy, key))
      bench.proxy.cutAfterRequest('EVALSHA')
      await expect(store.decide(consume(policy, key))).rejects.toMatchObject({
        name: 'SpillwayError',
        code: 'STORE_INDETERMINATE',
        cause: expect.any(Error),
      })
      await recovered(store)
      expect(await countOf(key)).toBe(2)
      await store.decide(consume(policy, key))
      expect(await countOf(key)).toBe(3)
    })

    test('Redis killed and started again: fails at once without it, and works with it', async () => {
      const store = await connect()
      await bench.server.kill()
      await eventually('all connections of the client to notice', async () => {
        const codes = [await codeOf(store), await codeOf(store), await codeOf(store)]
        return codes.every((code) => code === unavailable)
      })
      for (let i = 0; i < 3; i++) {
        const startedAt = performance.now()
        expect(await codeOf(store)).toBe(unavailable)
        expect(performance.now() - startedAt).toBeLessThan(2000)
      }
      await bench.server.restart()
      await recovered(store)
      const key = freshKey()
      for (let i = 1; i <= 3; i++) {
        await store.decide(consume(policy, key))
        expect(await countOf(key)).toBe(i)
      }
    })

    test('a connection lost in between is made again', async () => {
      const store = await connect()
      const key = freshKey()
      for (let i = 1; i <= 2; i++) {
        await store.decide(consume(policy, key))
        await bench.proxy.refuse()
        await eventually('the client to notice', async () => (await codeOf(store)) === unavailable)
        await bench.proxy.accept()
        await recovered(store)
        expect(await countOf(key)).toBe(i)
      }
    })

    test('a frozen server is waited for, and counts once', async () => {
      const store = await connect()
      const key = freshKey()
      await bench.server.pause()
      bench.proxy.forget()
      const answer = store.decide(consume(policy, key))
      await eventually('it to be sent', () => bench.proxy.count('EVALSHA') === 1)
      await bench.server.resume()
      await answer
      expect(await countOf(key)).toBe(1)
    })

    test('a frozen server that is cut off: rejects, and counts once at most', async () => {
      const store = await connect()
      const key = freshKey()
      await bench.server.pause()
      bench.proxy.forget()
      const answer = store.decide(consume(policy, key))
      const rejected = expect(answer).rejects.toMatchObject({ code: 'STORE_INDETERMINATE' })
      await eventually('it to be sent', () => bench.proxy.count('EVALSHA') === 1)
      bench.proxy.cut()
      await rejected
      await bench.server.resume()
      await recovered(store)
      expect(await countOf(key)).toBeLessThanOrEqual(1)
    })

    test('Redis down at the start poisons nothing', async () => {
      await bench.proxy.refuse()
      const store = start()
      expect(await codeOf(store)).toBe(unavailable)
      expect(await codeOf(store)).toBe(unavailable)
      await bench.proxy.accept()
      await recovered(store)
    })

    test('a wrong password is told as an unavailable store', async () => {
      await bench.server.command('CONFIG', 'SET', 'requirepass', 'right')
      expect(await codeOf(start('wrong'))).toBe(unavailable)
      // Over RESP2, Redis answers a long command before a log-in with no code, only with words.
      expect(await codeOf(start())).toMatch(/^STORE_/)
      await recovered(start('right'))
    })

    function start(password?: string): Store {
      const one = client.start(bench.proxy.port, password)
      started.push(one)
      return one.store
    }

    async function connect(): Promise<Store> {
      const store = start()
      await recovered(store)
      return store
    }

    async function countOf(key: string): Promise<number> {
      return Number(await bench.server.command('GET', key))
    }

    function note(reason: unknown): void {
      unhandled.push(reason)
    }
  })
}

const unavailable = 'STORE_UNAVAILABLE'

async function recovered(store: Store): Promise<void> {
  await eventually('the store to answer', async () => (await codeOf(store)) === 'answered', 30_000)
}

async function codeOf(store: Store): Promise<unknown> {
  return ask(store, consume(policy, freshKey(), 'look')).then(
    () => 'answered',
    (error: { readonly code: unknown }) => error.code,
  )
}
