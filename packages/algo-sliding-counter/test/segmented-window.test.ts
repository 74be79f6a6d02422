import { createLimiter, memoryStore, type State } from '@spillway/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SegmentedWindowOptions, segmentedWindow } from '../src/index.js'

const start = 1_800_000_000_000_000
const second = 1_000_000
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (options: SegmentedWindowOptions) =>
    createLimiter({ store: memory, policies: { p: segmentedWindow(options) } })
  return { clock, limiter }
}
const ten = { limit: 10, window: '1s', segments: 10 } as const

test('a burst across a boundary is refused, of the clock and of a segment', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter(ten)
  clock.now = start - 1
  expect(await consume('k', 10)).toMatchObject({ allowed: true, remaining: 0 })
  for (const at of [start, start + 100_000, start - 1 + second]) {
    clock.now = at
    expect(await consume('k')).toMatchObject({ allowed: false, remaining: 0 })
  }
})

test('a clock that begins at 0, as a fake one may, counts from the first request on', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter(ten)
  clock.now = 0
  expect(await consume('k', 10)).toMatchObject({ allowed: true, remaining: 0 })
  expect(await consume('k')).toMatchObject({ allowed: false, retryAfterMs: 1100 })
})

test('a unit returns once its whole segment has left: after a window, and at most a segment later', () => {
  const options = fc.record({
    window: fc.integer({ min: 1, max: 5000 }),
    segments: fc.integer({ min: 1, max: 100 }),
    us: fc.nat(5_000_000),
  })
  fc.assert(
    fc.property(options, ({ window, segments, us }) => {
      const { algorithm, args } = segmentedWindow({ limit: 1, window, segments })
      const now = start + us
      const state: State = []
      algorithm.record(state, now, 1, args)
      const { allowed, wait } = algorithm.check(state, now, 1, args)
      expect(allowed).toBe(false)
      expect(wait).toBeGreaterThan(window * 1000)
      // A window that does not divide evenly makes each segment up to a microsecond longer.
      const segment = Math.ceil((window * 1000) / segments)
      expect(wait).toBeLessThanOrEqual(window * 1000 + segment + segments)
      expect(algorithm.check(state, now + wait - 1, 1, args).allowed).toBe(false)
      expect(algorithm.check(state, now + wait, 1, args).allowed).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('a denied cost waits for as many segments as it lacks', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter(ten)
  for (const [ms, cost] of [
    [0, 2],
    [150, 3],
    [300, 5],
  ] as const) {
    clock.now = start + ms * 1000
    await consume('k', cost)
  }
  clock.now = start + 400_000
  const waits = []
  for (const cost of [1, 2, 3, 5, 6, 10]) {
    const decision = await consume('k', cost)
    waits.push(decision.allowed ? 0 : decision.retryAfterMs)
  }
  expect(waits).toEqual([700, 700, 800, 800, 1000, 1000])
})

test('the memory of a key is constant: at most a segment more than the window has', () => {
  const requests = fc.array(fc.tuple(fc.nat(300_000), fc.integer({ min: 1, max: 10 })), {
    minLength: 1,
    maxLength: 100,
  })
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 12 }), (steps, segments) => {
      const { algorithm, args } = segmentedWindow({ limit: 1000, window: '1s', segments })
      const state: State = []
      let now = start
      for (const [us, cost] of steps) {
        now += us
        algorithm.record(state, now, cost, args)
        expect(state.length / 2).toBeLessThanOrEqual(segments + 1)
      }
    }),
    { numRuns: 200 },
  )
})

test('with one segment it is a fixed window that forgets nothing too early', async () => {
  const { clock, limiter } = store()
  const { consume } = limiter({ limit: 8, window: '10s', segments: 1 })
  clock.now = start + 9 * second
  await consume('k', 8)
  expect(await consume('k')).toMatchObject({ allowed: false, retryAfterMs: 11_000 })
})

test('the reset is the time until the oldest segment leaves; the whole window for a fresh key', async () => {
  const { clock, limiter } = store()
  const { consume, peek } = limiter(ten)
  expect(await peek('k')).toMatchObject({ resetAfterMs: 1000 })
  clock.now = start + 50_000
  expect(await consume('k')).toMatchObject({ resetAfterMs: 1050 })
  clock.now = start + 600_000
  expect(await consume('k')).toMatchObject({ resetAfterMs: 500 })
  clock.now = start + 1_100_000
  expect(await peek('k')).toMatchObject({ remaining: 9, resetAfterMs: 600 })
})

test('a refund frees its units at once, and one of a segment that has left frees nothing', async () => {
  const { clock, limiter } = store()
  const { consume, refund, peek } = limiter(ten)
  const old = await consume('k', 10)
  clock.now = start + 1_100_000
  const fresh = await consume('k', 8)
  if (old.allowed) await refund(old)
  expect(await peek('k')).toMatchObject({ remaining: 2 })
  if (fresh.allowed) await refund(fresh, 3)
  expect(await peek('k')).toMatchObject({ remaining: 5 })
})

test('other numbers of segments read what is counted, and keep the limit', async () => {
  const { clock, limiter } = store()
  await limiter(ten).consume('k', 10)
  clock.now = start + 500_000
  for (const segments of [1, 3, 7, 20]) {
    expect(await limiter({ ...ten, segments }).peek('k')).toMatchObject({ allowed: false })
  }
  clock.now = start + second - 1
  for (const segments of [1, 3, 7, 20]) {
    expect(await limiter({ ...ten, segments }).peek('k')).toMatchObject({ allowed: false })
  }
})

test('a refund takes nothing of another segment, whatever length segments have come to have', async () => {
  const { clock, limiter } = store()
  const short = limiter({ limit: 10, window: '4s', segments: 4 })
  const long = limiter({ limit: 10, window: '4s', segments: 2 })
  const first = await long.consume('k', 3)
  clock.now += second
  await short.consume('k', 5)
  clock.now += second
  await long.consume('k')
  for (let i = 0; i < 2; i++) if (first.allowed) await long.refund(first)
  expect((await long.peek('k')).remaining).toBe(4)
})
