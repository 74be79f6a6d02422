import { gcra } from '@spillway/algo-gcra'
import { createLimiter, memoryStore, type State } from '@spillway/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TokenBucketOptions, tokenBucket } from '../src/index.js'

const start = 1_800_000_000_000_000
const second = 1_000_000
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (options: TokenBucketOptions) =>
    createLimiter({ store: memory, policies: { p: tokenBucket(options) } })
  return { clock, limiter }
}

/** Random buckets, and requests to them: how long after the one before, and of what cost. */
const cases = fc
  .record({
    capacity: fc.integer({ min: 1, max: 20 }),
    refill: fc.integer({ min: 1, max: 20 }),
    interval: fc.integer({ min: 1, max: 50 }),
  })
  .chain((options) =>
    fc.tuple(
      fc.constant(options),
      fc.array(
        fc.tuple(
          fc.oneof(
            fc.integer({ min: 0, max: 3000 * options.interval }),
            fc.constantFrom(0, 1, 1000 * options.interval - 1, 1000 * options.interval),
          ),
          fc.integer({ min: 1, max: options.capacity }),
        ),
        { minLength: 1, maxLength: 40 },
      ),
    ),
  )

describe('continuous', () => {
  test('is GCRA with the capacity as its burst', () => {
    const bucket = tokenBucket({ capacity: 30, refill: 10, interval: '1s' })
    const same = gcra({ limit: 10, window: '1s', burst: 30 })
    expect(bucket.algorithm).toBe(same.algorithm)
    expect(bucket).toMatchObject({ args: same.args, limit: 10, windowMs: 1000, capacity: 30 })
  })

  test('decides as a bucket that is filled drop by drop, in exact fractions of a token', () => {
    fc.assert(
      fc.property(cases, ([options, requests]) => {
        const { algorithm, args } = tokenBucket(options)
        const refill = BigInt(options.refill)
        const perToken = BigInt(options.interval * 1000)
        const full = BigInt(options.capacity) * perToken
        const state: State = []
        let [now, held] = [start, full] // held: in as many parts as a token has
        for (const [us, cost] of requests) {
          now += us
          held += BigInt(us) * refill
          if (held > full) held = full
          const wanted = BigInt(cost) * perToken
          const allowed = wanted <= held
          expect(algorithm.check(state, now, cost, args)).toEqual({
            allowed,
            remaining: Number(held / perToken),
            wait: allowed ? 0 : Number((wanted - held + refill - 1n) / refill),
            reset: Number((full - held + refill - 1n) / refill),
          })
          if (!allowed) continue
          held -= wanted
          algorithm.record(state, now, cost, args)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('the reset of a partly drained bucket is when it is full, not a whole interval', async () => {
    const { clock, limiter } = store()
    const { consume, peek } = limiter({ capacity: 100, refill: 10, interval: '1s' })
    expect(await consume('k', 30)).toMatchObject({ remaining: 70, resetAfterMs: 3000 })
    clock.now += second
    expect(await consume('k', 5)).toMatchObject({ remaining: 75, resetAfterMs: 2500 })
    clock.now += 2_499_999
    expect(await peek('k')).toMatchObject({ remaining: 99, resetAfterMs: 1 })
    clock.now += 1
    expect(await peek('k')).toMatchObject({ remaining: 100, resetAfterMs: 0 })
  })
})

describe('by the interval', () => {
  const options = { capacity: 10, refill: 4, interval: '1s', refillBy: 'interval' } as const

  test('decides as a bucket that is filled by the batch, counted from when it was full', () => {
    fc.assert(
      fc.property(cases, ([{ capacity, refill, interval }, requests]) => {
        const { algorithm, args } = tokenBucket({
          capacity,
          refill,
          interval,
          refillBy: 'interval',
        })
        const us = interval * 1000
        const state: State = []
        let [now, held, next] = [start, capacity, 0] // next: when the next batch comes
        for (const [wait, cost] of requests) {
          now += wait
          for (; held < capacity && next <= now; next += us)
            held = Math.min(capacity, held + refill)
          const batchesFor = (tokens: number) => Math.ceil((tokens - held) / refill)
          const until = (batches: number) => (batches > 0 ? next + (batches - 1) * us - now : 0)
          const allowed = cost <= held
          expect(algorithm.check(state, now, cost, args)).toEqual({
            allowed,
            remaining: held,
            wait: until(batchesFor(cost)),
            reset: until(batchesFor(capacity)),
          })
          if (!allowed) continue
          if (held === capacity) next = now + us
          held -= cost
          algorithm.record(state, now, cost, args)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('all tokens of an interval come at its end, counted from the request that found it full', async () => {
    const { clock, limiter } = store()
    const { consume, peek } = limiter(options)
    clock.now = start + 123_456
    expect(await consume('k', 10)).toMatchObject({ remaining: 0, resetAfterMs: 3000 })
    const remaining = []
    for (const us of [999_999, second, 2 * second - 1, 2 * second, 3 * second]) {
      clock.now = start + 123_456 + us
      remaining.push((await peek('k')).remaining)
    }
    expect(remaining).toEqual([0, 4, 4, 8, 10])
  })

  test('a denied cost waits for as many batches as it lacks', async () => {
    const { clock, limiter } = store()
    const { consume } = limiter(options)
    await consume('k', 10)
    clock.now += 400_000
    const waits = []
    for (const cost of [1, 4, 5, 8, 9, 10]) {
      const decision = await consume('k', cost)
      waits.push(decision.allowed ? 0 : decision.retryAfterMs)
    }
    expect(waits).toEqual([600, 600, 1600, 1600, 2600, 2600])
  })

  test('the reset of a partly drained bucket is when it is full', async () => {
    const { clock, limiter } = store()
    const { consume, peek } = limiter(options)
    expect(await consume('k', 4)).toMatchObject({ remaining: 6, resetAfterMs: 1000 })
    clock.now += 300_000
    expect(await consume('k', 1)).toMatchObject({ remaining: 5, resetAfterMs: 1700 })
    clock.now += 700_000
    expect(await peek('k')).toMatchObject({ remaining: 9, resetAfterMs: 1000 })
    clock.now += second
    expect(await peek('k')).toMatchObject({ remaining: 10, resetAfterMs: 0 })
  })

  test('a refund puts back what no batch has brought since', async () => {
    const { clock, limiter } = store()
    const { consume, refund, peek } = limiter(options)
    const decision = await consume('k', 10)
    clock.now += second
    if (decision.allowed) await refund(decision)
    expect(await peek('k')).toMatchObject({ remaining: 10 })
    const late = await consume('k', 3)
    clock.now += second
    await consume('k', 10)
    if (late.allowed) await refund(late)
    expect(await peek('k')).toMatchObject({ remaining: 0 })
  })

  test('a batch larger than the bucket only fills it', async () => {
    const { clock, limiter } = store()
    const { consume, peek } = limiter({ ...options, capacity: 3, refill: 100 })
    expect(await consume('k', 2)).toMatchObject({ remaining: 1, resetAfterMs: 1000 })
    clock.now += second
    expect(await peek('k')).toMatchObject({ remaining: 3, resetAfterMs: 0 })
  })
})

describe.each(['continuous', 'interval'] as const)(
  'capacity and rate are set apart: %s',
  (refillBy) => {
    test('a large bucket filled slowly', async () => {
      const { clock, limiter } = store()
      const { consume } = limiter({ capacity: 1000, refill: 1, interval: '1s', refillBy })
      expect(await consume('k', 1000)).toMatchObject({ allowed: true, resetAfterMs: 1_000_000 })
      clock.now += 5 * second
      expect(await consume('k', 6)).toMatchObject({
        allowed: false,
        remaining: 5,
        retryAfterMs: 1000,
      })
      expect(await consume('k', 5)).toMatchObject({ allowed: true, remaining: 0 })
    })

    test('a small bucket filled fast', async () => {
      const { clock, limiter } = store()
      const { consume } = limiter({ capacity: 2, refill: 1000, interval: '1s', refillBy })
      expect(await consume('k', 3)).toMatchObject({ allowed: false, retryAfterMs: null })
      expect(await consume('k', 2)).toMatchObject({ allowed: true, remaining: 0 })
      clock.now += refillBy === 'interval' ? second : 2000
      expect(await consume('k', 2)).toMatchObject({ allowed: true, remaining: 0 })
    })
  },
)

test('the two kinds of refill do not share keys', async () => {
  const { limiter } = store()
  const options = { capacity: 5, refill: 5, interval: '1s' } as const
  await limiter({ ...options, refillBy: 'interval' }).consume('k', 5)
  expect(await limiter(options).peek('k')).toMatchObject({ remaining: 5 })
})

describe('a changed policy', () => {
  const before = { capacity: 10, refill: 4, interval: '1s', refillBy: 'interval' } as const

  test('goes on with the time at which the bucket will be full', async () => {
    const { limiter } = store()
    await limiter(before).consume('k', 10) // full in 3 s
    expect(await limiter({ ...before, refill: 2 }).peek('k')).toMatchObject({ remaining: 5 })
    expect(await limiter({ ...before, refill: 2, capacity: 6 }).peek('k')).toMatchObject({
      remaining: 1,
      resetAfterMs: 3000,
    })
  })
})
