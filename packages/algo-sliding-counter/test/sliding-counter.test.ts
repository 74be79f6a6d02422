import { createLimiter, memoryStore, type State } from '@spillway/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SlidingCounterOptions, slidingCounter } from '../src/index.js'

const start = 1_800_000_000_000_000 // a boundary of every window here
const second = 1_000_000
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (options: SlidingCounterOptions) =>
    createLimiter({ store: memory, policies: { p: slidingCounter(options) } })
  return { clock, limiter }
}
const ten = { limit: 10, window: '1s' } as const

test('a burst across the boundary, which doubles a fixed window, is refused', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter({ limit: 8, window: '10s' })
  clock.now = start - 200_000
  for (let i = 0; i < 8; i++) expect((await consume('k')).allowed).toBe(true)
  clock.now = start + 200_000
  expect(await consume('k')).toMatchObject({ allowed: false, remaining: 0 })
})

test('whoever spends all at the very end of a window gets 2N − 1 in a window, and no more', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter(ten)
  let admitted = 0
  clock.now = start - 1
  for (let i = 0; i < 30; i++) if ((await consume('k')).allowed) admitted++
  for (let at = start; at < start - 1 + second; at += 100) {
    clock.now = at
    if ((await consume('k')).allowed) admitted++
  }
  clock.now = start - 2 + second
  if ((await consume('k')).allowed) admitted++
  expect(admitted).toBe(19)
})

describe('the estimate', () => {
  test('is the count of the window, and of the one before the part not yet gone, rounded up', async () => {
    const { clock, limiter } = store()
    const { consume, peek } = limiter(ten)
    clock.now = start - 500_000
    await consume('k', 10)
    const remaining = []
    for (const ms of [0, 99, 100, 199, 200, 550, 999, 1000]) {
      clock.now = start + ms * 1000
      remaining.push((await peek('k')).remaining)
    }
    expect(remaining).toEqual([0, 0, 1, 1, 2, 5, 9, 10])
  })

  test('is that of the definition, and the wait ends with the first millisecond that has room', () => {
    const cases = fc
      .record({
        limit: fc.integer({ min: 1, max: 30 }),
        window: fc.integer({ min: 1, max: 200 }),
      })
      .chain(({ limit, window }) =>
        fc.record({
          limit: fc.constant(limit),
          window: fc.constant(window),
          previous: fc.integer({ min: 0, max: limit }),
          current: fc.integer({ min: 0, max: limit }),
          us: fc.integer({ min: 0, max: window * 1000 - 1 }),
          cost: fc.integer({ min: 1, max: limit }),
        }),
      )
    fc.assert(
      fc.property(cases, ({ limit, window, previous, current, us, cost }) => {
        const { algorithm, args } = slidingCounter({ limit, window })
        const length = window * 1000
        const begin = start - (start % length)
        const state: State = [begin, current, previous]
        /** By the definition, in each millisecond: what of the two counts is still in the window. */
        const roomAt = (at: number): number => {
          const windows = Math.floor((at - begin) / length)
          const [own, before] =
            windows === 0 ? [current, previous] : windows === 1 ? [0, current] : [0, 0]
          const ms = Math.floor((at - begin - windows * length) / 1000)
          return Math.max(0, limit - own - Math.ceil((before * (window - ms)) / window))
        }
        let free = begin + us
        while (roomAt(free) < cost) free = begin + (Math.floor((free - begin) / 1000) + 1) * 1000
        expect(algorithm.check(state, begin + us, cost, args)).toMatchObject({
          allowed: roomAt(begin + us) >= cost,
          remaining: roomAt(begin + us),
          wait: free - begin - us,
        })
      }),
      { numRuns: 2000 },
    )
  })
})

test('the reset is the time until nothing counts any more', async () => {
  const { clock, limiter } = store()
  const { consume, peek } = limiter(ten)
  expect(await peek('k')).toMatchObject({ resetAfterMs: 0 })
  clock.now = start + 300_000
  expect(await consume('k')).toMatchObject({ resetAfterMs: 1700 })
  clock.now = start + 1_400_000
  expect(await peek('k')).toMatchObject({ remaining: 9, resetAfterMs: 600 })
  clock.now = start + 2 * second
  expect(await peek('k')).toMatchObject({ remaining: 10, resetAfterMs: 0 })
})

test('a refund goes into the window its cost came from, as far as that still weighs', async () => {
  const { clock, limiter } = store()
  const { consume, refund, peek } = limiter(ten)
  const old = await consume('k', 10)
  clock.now = start + second
  expect(await peek('k')).toMatchObject({ remaining: 0 })
  if (old.allowed) await refund(old, 6)
  expect(await peek('k')).toMatchObject({ remaining: 6 })
  clock.now = start + 2 * second
  await consume('k', 10)
  if (old.allowed) await refund(old)
  expect(await peek('k')).toMatchObject({ remaining: 0 })
})

test('a lower limit counts what is already used at once, a higher one frees the difference', async () => {
  const { limiter } = store()
  await limiter(ten).consume('k', 6)
  expect(await limiter({ ...ten, limit: 5 }).peek('k')).toMatchObject({
    allowed: false,
    remaining: 0,
  })
  expect(await limiter({ ...ten, limit: 20 }).peek('k')).toMatchObject({ remaining: 14 })
})

test('a refund takes nothing of another window, whatever length the window has come to have', async () => {
  const { clock, limiter } = store()
  const short = limiter(ten)
  const long = limiter({ limit: 10, window: '2s' })
  const first = await long.consume('k', 3)
  clock.now += second
  await short.consume('k', 5)
  clock.now += second
  await long.consume('k')
  if (first.allowed) await long.refund(first)
  expect((await long.peek('k')).remaining).toBe(4)
})
