import { memoryStore, type Store } from '@spillway/core'
import { expect, test } from 'vitest'
import { lessons } from '../src/lessons.js'
import { localClock } from '../src/local-clock.js'
import { runLoad } from '../src/run-load.js'
import { storeClock } from '../src/store-clock.js'

function load(store: Store, requests: number) {
  const { signal } = new AbortController()
  return runLoad({
    session: {
      kind: 'memory',
      driver: null,
      title: '',
      store,
      clock: storeClock(async () => localClock(), signal),
      redis: undefined,
      signal,
      close: async () => {},
    },
    policy: lessons.sliding.policy(5, 60_000),
    workers: 8,
    keys: 20,
    seconds: 60,
    requests,
    onTick: () => {},
  })
}

test('it counts every decision, and finds the promise kept', async () => {
  expect(await load(memoryStore({ clock: localClock }), 1000)).toMatchObject({
    decisions: 1000,
    admitted: 100,
    denied: 900,
    promise: 5,
    mostInAnyWindow: 5,
    brokenKeys: 0,
    held: true,
  })
})

test('a store that lets too much through is found out', async () => {
  const memory = memoryStore({ clock: localClock })
  const lax: Store = {
    ...memory,
    decide: async (request) => ({ ...(await memory.decide(request)), allowed: true }),
  }
  expect(await load(lax, 1000)).toMatchObject({
    admitted: 1000,
    mostInAnyWindow: 275,
    brokenKeys: 20,
    held: false,
  })
})

test('a broken store ends it', async () => {
  const broken: Store = { ...memoryStore(), decide: () => Promise.reject(new Error('gone')) }
  await expect(load(broken, 1000)).rejects.toThrow('gone')
})
