import { createLimiter, memoryStore } from '@spillway/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SlidingWindowOptions, slidingWindow } from '../src/index.js'

const start = 1_800_000_000_000_000
const second = 1_000_000
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (options: SlidingWindowOptions) =>
    createLimiter({ store: memory, policies: { p: slidingWindow(options) } })
  return { clock, limiter }
}

test('a denied cost waits for as many units as it lacks, not for the oldest alone', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter({ limit: 4, window: '10s' })
  for (let i = 0; i < 4; i++) {
    clock.now = start + i * second
    await consume('k')
  }
  clock.now = start + 4 * second
  const waits = []
  for (const cost of [1, 2, 3, 4]) {
    const decision = await consume('k', cost)
    waits.push(decision.allowed ? 0 : decision.retryAfterMs)
  }
  expect(waits).toEqual([6000, 7000, 8000, 9000])
})

test('the reset is the time until the oldest unit leaves; the whole window for an empty log', async () => {
  const { clock, limiter } = store()
  const { consume, peek } = limiter({ limit: 4, window: '10s' })
  expect(await peek('k')).toMatchObject({ resetAfterMs: 10_000 })
  await consume('k')
  clock.now = start + 3 * second
  expect(await consume('k')).toMatchObject({ resetAfterMs: 7000 })
  clock.now = start + 10 * second
  expect(await peek('k')).toMatchObject({ remaining: 3, resetAfterMs: 3000 })
})

test('a refund frees its units at once, and one of units that have left frees nothing', async () => {
  const { clock, limiter } = store()
  const { consume, refund, peek } = limiter({ limit: 4, window: '10s' })
  const old = await consume('k', 4)
  clock.now = start + 10 * second
  const fresh = await consume('k', 3)
  if (old.allowed) await refund(old)
  expect(await peek('k')).toMatchObject({ remaining: 1 })
  if (fresh.allowed) await refund(fresh, 2)
  expect(await peek('k')).toMatchObject({ remaining: 3 })
})

test('an old receipt never names a unit of a later log, even at a unit a microsecond', async () => {
  const step = fc.record({ wait: fc.nat(1200), cost: fc.integer({ min: 1, max: 1000 }) })
  const histories = fc.array(step, { minLength: 2, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const { clock, limiter } = store()
      const { consume, refund, peek } = limiter({ limit: 1000, window: 1 })
      const past: { readonly at: number; refund(): Promise<void> }[] = []
      for (const { wait, cost } of steps) {
        clock.now += wait
        const decision = await consume('k', cost)
        if (decision.allowed) past.push({ at: clock.now, refund: () => refund(decision) })
        const { remaining } = await peek('k')
        for (const one of past) if (one.at <= clock.now - 1000) await one.refund()
        expect((await peek('k')).remaining).toBe(remaining)
      }
    }),
  )
})

test('a lower limit counts what is in the log at once, a longer window what is still in it', async () => {
  const { clock, limiter } = store()
  await limiter({ limit: 8, window: '10s' }).consume('k', 6)
  clock.now = start + 9 * second
  expect(await limiter({ limit: 5, window: '10s' }).peek('k')).toMatchObject({
    allowed: false,
    remaining: 0,
    retryAfterMs: 1000,
  })
  expect(await limiter({ limit: 8, window: '20s' }).peek('k')).toMatchObject({ remaining: 2 })
  expect(await limiter({ limit: 8, window: '5s' }).peek('k')).toMatchObject({ remaining: 8 })
})
