import { createLimiter, memoryStore, type State } from '@spillway/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactSlidingWindow } from '../src/index.js'

const start = 1_800_000_000_000_000
const second = 1_000_000
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (limit: number, window: '10s' | '20s' | '5s' = '10s') =>
    createLimiter({ store: memory, policies: { p: compactSlidingWindow({ limit, window }) } })
  return { clock, limiter }
}

test('8 requests 200 ms before a boundary, and none of 8 more 200 ms after it', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter(8)
  clock.now = start - 200_000
  expect(await consume('k', 8)).toMatchObject({ allowed: true, remaining: 0 })
  clock.now = start + 200_000
  expect(await consume('k')).toMatchObject({ allowed: false, retryAfterMs: 9600 })
  clock.now += 9_599_999
  expect(await consume('k')).toMatchObject({ allowed: false, retryAfterMs: 1 })
  clock.now += 1
  expect(await consume('k', 8)).toMatchObject({ allowed: true, remaining: 0 })
})

test('a denied cost waits for as many units as it lacks, entries of several units counting whole', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter(100)
  for (const [i, cost] of [10, 50, 1, 39].entries()) {
    clock.now = start + i * second
    await consume('k', cost)
  }
  clock.now = start + 4 * second
  const waits = []
  for (const cost of [1, 10, 11, 60, 61, 62, 100]) {
    const decision = await consume('k', cost)
    waits.push(decision.allowed ? 0 : decision.retryAfterMs)
  }
  expect(waits).toEqual([6000, 6000, 7000, 7000, 8000, 9000, 9000])
})

test('a cost of the whole limit is allowed, as large as it may be', async () => {
  const { clock, limiter } = store()
  const limit = 2 ** 50
  const { consume } = limiter(limit)
  expect(await consume('k', limit - 1)).toMatchObject({ allowed: true, remaining: 1 })
  expect(await consume('k', 2)).toMatchObject({ allowed: false, remaining: 1 })
  expect(await consume('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
  for (let i = 0; i < 20; i++) {
    clock.now += 10 * second
    expect(await consume('k', limit)).toMatchObject({ allowed: true, remaining: 0 })
  }
})

test('a changed limit or window is applied to the log as it is', async () => {
  const { clock, limiter } = store()
  await limiter(8).consume('k', 6)
  clock.now = start + 9 * second
  expect(await limiter(5).peek('k')).toMatchObject({
    allowed: false,
    remaining: 0,
    retryAfterMs: 1000,
  })
  expect(await limiter(8, '20s').peek('k')).toMatchObject({ remaining: 2 })
  expect(await limiter(8, '5s').peek('k')).toMatchObject({ remaining: 8 })
})

describe('the state', () => {
  const steps = fc.array(
    fc.tuple(
      fc.oneof(fc.constant(0), fc.nat(3000)),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) },
      ),
      fc.option(fc.nat(20), { freq: 3 }),
    ),
    { minLength: 1, maxLength: 60 },
  )

  test('is always one of the two kinds: times that grow, or times and totals that both grow', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const { algorithm, args } = compactSlidingWindow({ limit: 30, window: 5 })
        const state: State = []
        const receipts: [receipt: number, cost: number][] = []
        let now = start
        for (const [us, cost, back] of history) {
          now += us
          if (algorithm.check(state, now, cost, args).allowed) {
            receipts.push([algorithm.record(state, now, cost, args).receipt, cost])
          }
          const one = back === null ? undefined : receipts.splice(back % receipts.length, 1)[0]
          if (one !== undefined) algorithm.giveBack(state, now, one[1], args, one[0])
          expectWellFormed(state)
        }
      }),
      { numRuns: 500 },
    )
  })

  function expectWellFormed(state: Readonly<State>): void {
    if (state.length === 0 || state.at(-1)! > 0) {
      for (let i = 1; i < state.length; i++) expect(state[i]).toBeGreaterThanOrEqual(state[i - 1]!)
      return
    }
    expect(state.length % 2).toBe(1)
    expect(state.length).toBeGreaterThan(1)
    for (let i = 2; i < state.length - 1; i++) expect(state[i]).toBeGreaterThan(state[i - 2]!)
    expect(-state.at(-1)!).toBeGreaterThan(state.at(-2)!)
  }
})
