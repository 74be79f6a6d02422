import { createLimiter, memoryStore } from '@spillway/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type GcraOptions, gcra } from '../src/index.js'

const start = 1_800_000_000_000_000
const second = 1_000_000
const day = 86_400 * second
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (options: GcraOptions) =>
    createLimiter({ store: memory, policies: { p: gcra(options) } })
  return { clock, limiter }
}

test('the first of 10 per second leaves 9', async () => {
  const { limiter } = store()
  expect(await limiter({ limit: 10, window: '1s' }).consume('k')).toMatchObject({
    allowed: true,
    remaining: 9,
    resetAfterMs: 100,
  })
})

test('a unit comes back every window / limit, not all of them at a boundary', async () => {
  const { clock, limiter } = store()
  const { consume, peek } = limiter({ limit: 10, window: '1s' })
  expect(await consume('k', 10)).toMatchObject({ allowed: true, remaining: 0, resetAfterMs: 1000 })
  const remaining = []
  for (const us of [99_999, 100_000, 250_000, 999_999, second]) {
    clock.now = start + us
    remaining.push((await peek('k')).remaining)
  }
  expect(remaining).toEqual([0, 1, 2, 9, 10])
})

test('a denied cost waits for exactly what it lacks', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter({ limit: 10, window: '1s' })
  await consume('k', 8)
  clock.now = start + 50_000
  expect(await consume('k', 3)).toMatchObject({ allowed: false, remaining: 2, retryAfterMs: 50 })
  expect(await consume('k', 10)).toMatchObject({ allowed: false, retryAfterMs: 750 })
  clock.now += 750_000
  expect(await consume('k', 10)).toMatchObject({ allowed: true, remaining: 0 })
})

test('a cost above the burst never fits, even if it is below the limit', async () => {
  const { limiter } = store()
  const { consume } = limiter({ limit: 10, window: '1s', burst: 3 })
  expect(await consume('k', 4)).toMatchObject({ allowed: false, retryAfterMs: null })
  expect(await consume('k', 3)).toMatchObject({ allowed: true, remaining: 0, resetAfterMs: 300 })
})

test('a burst above the limit saves up for more than a window', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter({ limit: 10, window: '1s', burst: 30 })
  expect(await consume('k', 30)).toMatchObject({ allowed: true, resetAfterMs: 3000 })
  clock.now += 2 * second
  expect(await consume('k', 1)).toMatchObject({ allowed: true, remaining: 19 })
})

test('a refund gives back what has not drained since, and no more', async () => {
  const { clock, limiter } = store()
  const { consume, refund, peek } = limiter({ limit: 10, window: '1s' })
  const decision = await consume('k', 10)
  clock.now += 400_000
  if (decision.allowed) await refund(decision)
  expect(await peek('k')).toMatchObject({ remaining: 10, resetAfterMs: 0 })
  const late = await consume('k', 2)
  clock.now += 300_000
  await consume('k', 10)
  if (late.allowed) await refund(late)
  expect(await peek('k')).toMatchObject({ remaining: 0 })
})

describe('a changed policy', () => {
  test('from 7,000 a day to 7 a day locks nobody for 1,000 days', async () => {
    const { clock, limiter } = store()
    await limiter({ limit: 7000, window: '1d' }).consume('k', 7000)
    const { consume } = limiter({ limit: 7, window: '1d' })
    expect(await consume('k')).toMatchObject({
      allowed: false,
      retryAfterMs: Math.ceil(86_400_000 / 7),
      resetAfterMs: 86_400_000,
    })
    clock.now += day
    expect(await consume('k', 7)).toMatchObject({ allowed: true })
  })

  test('from 7 a day to 7,000 a day is in force at once, in proportion', async () => {
    const { clock, limiter } = store()
    await limiter({ limit: 7, window: '1d' }).consume('k', 7)
    clock.now += day / 2
    const { remaining } = await limiter({ limit: 7000, window: '1d' }).peek('k')
    expect(remaining).toBe(3500)
  })

  test('to a smaller burst goes on up to three times that; from beyond it reads as empty, as of a clock that was wrong', async () => {
    const { limiter } = store()
    await limiter({ limit: 10, window: '1s', burst: 30 }).consume('k', 30)
    const explained = limiter({ limit: 10, window: '1s', burst: 10 })
    expect(await explained.peek('k')).toMatchObject({ remaining: 0, resetAfterMs: 3000 })
    const beyond = limiter({ limit: 10, window: '1s', burst: 9 })
    expect(await beyond.peek('k')).toMatchObject({ remaining: 9, resetAfterMs: 0 })
  })

  test('never locks a key for longer than the longer window, whatever the limits', async () => {
    const options = fc.record({
      limit: fc.integer({ min: 1, max: 10_000 }),
      window: fc.integer({ min: 1, max: 100_000 }),
    })
    await fc.assert(
      fc.asyncProperty(options, options, async (before, after) => {
        const { clock, limiter } = store()
        await limiter(before).consume('k', before.limit)
        clock.now += 1000 * Math.max(before.window, after.window)
        expect(await limiter(after).consume('k', after.limit)).toMatchObject({ allowed: true })
      }),
    )
  })
})
