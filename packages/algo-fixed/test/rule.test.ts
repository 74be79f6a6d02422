import { createLimiter, memoryStore } from '@spillway/core'
import { expect, test } from 'vitest'
import { type FixedWindowOptions, fixedWindow } from '../src/index.js'

const start = 1_800_000_000_000_000
const second = 1_000_000
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (options: FixedWindowOptions) =>
    createLimiter({ store: memory, policies: { p: fixedWindow(options) } })
  return { clock, limiter }
}

test('windows begin at multiples of their length since 1970, whenever a key is first seen', async () => {
  const { clock, limiter } = store()
  clock.now = start + 7 * second
  const { resetAfterMs } = await limiter({ limit: 8, window: '10s' }).consume('k')
  expect(resetAfterMs).toBe(3000)
  clock.now = Date.UTC(2027, 5, 15, 22) * 1000
  expect(await limiter({ limit: 8, window: '1d' }).peek('other')).toMatchObject({
    resetAfterMs: 2 * 3_600_000,
  })
})

test('every denial is to wait for the end of the window, whatever it costs', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter({ limit: 8, window: '10s' })
  clock.now = start + 4 * second
  await consume('k', 7)
  expect(await consume('k', 2)).toMatchObject({ allowed: false, remaining: 1, retryAfterMs: 6000 })
  expect(await consume('k', 8)).toMatchObject({ allowed: false, remaining: 1, retryAfterMs: 6000 })
  expect(await consume('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
})

test('a refund across the boundary goes into the window it came from, and frees nothing now', async () => {
  const { clock, limiter } = store()
  const { consume, refund, peek } = limiter({ limit: 8, window: '10s' })
  const old = await consume('k', 8)
  clock.now = start + 10 * second
  await consume('k', 8)
  if (old.allowed) await refund(old)
  expect(await peek('k')).toMatchObject({ allowed: false, remaining: 0 })
})

test('a lower limit counts what is already used at once, a higher one frees the difference', async () => {
  const { limiter } = store()
  await limiter({ limit: 8, window: '10s' }).consume('k', 6)
  expect(await limiter({ limit: 5, window: '10s' }).peek('k')).toMatchObject({
    allowed: false,
    remaining: 0,
  })
  expect(await limiter({ limit: 20, window: '10s' }).peek('k')).toMatchObject({ remaining: 14 })
})

test('a longer window goes on with what the latest shorter one has counted; a shorter one begins afresh', async () => {
  const { clock, limiter } = store()
  clock.now = start + 25 * second
  await limiter({ limit: 8, window: '10s' }).consume('k', 3)
  expect(await limiter({ limit: 8, window: '1m' }).peek('k')).toMatchObject({
    remaining: 5,
    resetAfterMs: 35_000,
  })
  expect(await limiter({ limit: 8, window: '1s' }).peek('k')).toMatchObject({
    remaining: 8,
    resetAfterMs: 1000,
  })
})

test('a state is kept until the window after the current one ends, so that both can be looked at', () => {
  const { algorithm, args } = fixedWindow({ limit: 8, window: '10s' })
  expect(algorithm.record([], start + 3 * second, 1, args)).toMatchObject({ ttl: 17 * second })
})
