import { type Store, withTimeout } from '@spillway/core'
import { eventually } from '@spillway/testbed'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, type Bench, consume, freshKey, openBench } from './bench.js'
import { counter } from './counter.js'
import type { ClientUnderTest, StartedClient } from './driver-recovery.js'

const timeoutMs = 150
// What a busy machine may add; the servers hang until they are told to go on.
const slackMs = 5000
const policy = counter()

/** Makes the tests of `withTimeout` over a real client and a real Redis that hangs. */
export function answersInTime(clients: readonly ClientUnderTest[]): void {
  describe.each(clients)('withTimeout over $name', (client) => {
    let bench: Bench
    let started: StartedClient
    let store: Store

    beforeEach(async () => {
      bench = await openBench()
    })
    afterEach(async () => {
      await started.close()
      await bench.close()
    })

    test('a frozen Redis: answers in time, single probes, and the counter as it was afterwards', async () => {
      start()
      const key = freshKey()
      await recovered()
      for (let i = 0; i < 3; i++) await store.decide(consume(policy, key))

      await bench.server.pause()
      bench.proxy.forget()
      expect(await askedAtOnce(key)).toEqual(Array(20).fill('STORE_INDETERMINATE'))
      for (let round = 1; round <= 3; round++) {
        const codes = await askedAtOnce(key)
        expect(codes.sort()).toEqual([
          'STORE_INDETERMINATE',
          ...Array(19).fill('STORE_UNAVAILABLE'),
        ])
        expect(sent('consume')).toBe(1 + round)
      }
      await bench.server.resume()

      await eventually(
        'what came too late to be given back',
        async () => (await countOf(key)) === 3,
      )
      await recovered()
      await store.decide(consume(policy, key))
      expect(await countOf(key)).toBe(4)
      expect(sent('consume'), 'nothing is sent again').toBe(1 + 3 + 1)
    })

    test('a connection that hangs while it is made: answers in time, and sends nothing later', async () => {
      bench.proxy.freeze()
      start()
      const key = freshKey()
      for (let round = 1; round <= 3; round++) {
        for (const code of await askedAtOnce(key)) expect(code).toMatch(/^STORE_/)
      }
      bench.proxy.thaw()
      await recovered()
      await store.decide(consume(policy, key))
      expect(await countOf(key)).toBe(1)
      expect(sent('consume')).toBe(1)
    })

    test('a reset that hangs answers in time', async () => {
      start()
      await recovered()
      await bench.server.pause()
      expect(await codeWithin(store.forget([freshKey()]))).toBe('STORE_INDETERMINATE')
      await bench.server.resume()
    })

    function start(): void {
      started = client.start(bench.proxy.port)
      store = withTimeout(started.store, timeoutMs)
    }

    function askedAtOnce(key: string): Promise<unknown[]> {
      const asked = Array.from({ length: 20 }, () => ask(store, consume(policy, key)))
      return Promise.all(asked.map(codeWithin))
    }

    async function recovered(): Promise<void> {
      const look = () => codeWithin(ask(store, consume(policy, freshKey(), 'look')))
      await eventually('the store to answer', async () => (await look()) === 'answered', 30_000)
    }

    function sent(mode: string): number {
      return bench.proxy.seen.filter(
        ([name, ...args]) => /^EVAL/.test(name!) && args.includes(mode),
      ).length
    }

    async function countOf(key: string): Promise<number> {
      return Number(await bench.server.command('GET', key))
    }
  })
}

/** What became of it, which must not take longer than the timeout. */
async function codeWithin(answer: Promise<unknown>): Promise<unknown> {
  const startedAt = performance.now()
  const code = await answer.then(
    () => 'answered',
    (error: { readonly code: unknown }) => error.code,
  )
  expect(performance.now() - startedAt).toBeLessThan(timeoutMs + slackMs)
  return code
}
