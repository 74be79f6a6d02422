import { createLimiter, memoryStore } from '@spillway/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leakyBucket } from '../src/index.js'

const start = 1_800_000_000_000

beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

/** Callers of a bucket with a turn every 100 ms, and the times at which they went ahead. */
function queue() {
  const policy = leakyBucket({ limit: 10, window: '1s', queue: 9 })
  const limiter = createLimiter({ store: memoryStore(), policies: { outbound: policy } })
  const went: Record<string, number> = {}
  return {
    went,
    ask(name: string, signal?: AbortSignal) {
      limiter.acquire('k', signal && { signal }).then(
        () => {
          went[name] = Date.now() - start
        },
        () => {},
      )
    },
  }
}

test('callers go ahead in turns, each at its own', async () => {
  const { ask, went } = queue()
  for (const name of ['a', 'b', 'c', 'd']) ask(name)
  await vi.advanceTimersByTimeAsync(1000)
  expect(went).toEqual({ a: 0, b: 100, c: 200, d: 300 })
})

test('the turn of one who leaves from the middle passes unused, that of the last one is taken', async () => {
  const { ask, went } = queue()
  const [middle, last] = [new AbortController(), new AbortController()]
  ask('a')
  ask('middle', middle.signal)
  ask('c')
  ask('last', last.signal)
  await vi.advanceTimersByTimeAsync(50)
  middle.abort()
  last.abort()
  await vi.advanceTimersByTimeAsync(10)
  ask('new')
  await vi.advanceTimersByTimeAsync(1000)
  expect(went).toEqual({ a: 0, c: 200, new: 300 })
})

test('more callers than the queue holds wait to be queued, in their order', async () => {
  const { ask, went } = queue()
  for (let i = 0; i < 15; i++) ask(`${i}`)
  await vi.advanceTimersByTimeAsync(5000)
  expect(went).toEqual(Object.fromEntries(Array.from({ length: 15 }, (_, i) => [i, i * 100])))
})
