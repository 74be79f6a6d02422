import { createLimiter, memoryStore, type Policy, type State } from '@spillway/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LeakyBucketOptions, leakyBucket } from '../src/index.js'

const start = 1_800_000_000_000_000
const second = 1_000_000
const store = () => {
  const clock = { now: start }
  const memory = memoryStore({ clock: () => clock.now })
  const limiter = (options: LeakyBucketOptions) =>
    createLimiter({ store: memory, policies: { p: leakyBucket(options) } })
  return { clock, limiter }
}

/** Asks for a unit at each of these times after the start; tells when those admitted leave. */
function departures({ algorithm, args }: Policy, arrivals: readonly number[]): number[] {
  const state: State = []
  const times: number[] = []
  for (const arrival of arrivals) {
    const now = start + arrival
    const { allowed, wait } = algorithm.check(state, now, 1, args)
    if (!allowed) continue
    algorithm.record(state, now, 1, args)
    times.push(now + wait)
  }
  return times
}

describe('admitted requests leave evenly spaced', () => {
  test.each([
    leakyBucket({ limit: 10, window: '1s', queue: 5 }),
    leakyBucket({ limit: 7000, window: '1s', queue: 3 }),
    leakyBucket({ limit: 30_000, window: '1s', queue: 1000 }),
    leakyBucket({ limit: 7, window: '1d', queue: 1 }),
  ])('at saturation exactly a turn apart, rounded up once and never adding up: %#', (policy) => {
    const turn = Math.floor((policy.windowMs * 1000) / policy.limit)
    // Somebody asks, and is denied or admitted, well before each turn is over.
    const arrivals = Array.from({ length: 50_000 }, (_, i) => Math.floor((i * turn) / 3))
    const times = departures(policy, arrivals)
    expect(times.length).toBeGreaterThan(16_000)
    const [window, limit] = [BigInt(policy.windowMs * 1000), BigInt(policy.limit)]
    const due = (i: number) => start + Number((BigInt(i) * window + limit - 1n) / limit)
    expect(times.findIndex((at, i) => at !== due(i))).toBe(-1)
  })

  test('and never closer, whenever they come: no interval sees more leave than its share', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 0, max: 8 }), (gaps, queue) => {
        const policy = leakyBucket({ limit: 7, window: 1, queue }) // a turn of 142 6/7 µs
        let now = 0
        const times = departures(
          policy,
          gaps.map((gap) => {
            now += gap
            return now
          }),
        )
        times.forEach((from, i) => {
          times.slice(i + 1).forEach((to, j) => {
            expect(7 * (to - from + 1)).toBeGreaterThan((j + 1) * 1000)
          })
        })
      }),
      { numRuns: 300 },
    )
  })
})

describe('an allowed decision says how long to wait', () => {
  test('in delayMs; the one that finds the queue full is denied until there is room', async () => {
    const { clock, limiter } = store()
    const { consume } = limiter({ limit: 10, window: '1s', queue: 3 })
    const delays = []
    for (let i = 0; i < 4; i++) {
      const decision = await consume('k')
      delays.push(decision.allowed ? decision.delayMs : null)
    }
    expect(delays).toEqual([0, 100, 200, 300])
    expect(await consume('k')).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 100 })
    clock.now += 99_999
    expect(await consume('k')).toMatchObject({ allowed: false, retryAfterMs: 1 })
    clock.now += 1
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 300, remaining: 0 })
  })

  test('rounded up to whole milliseconds', async () => {
    const { clock, limiter } = store()
    const { consume } = limiter({ limit: 7, window: '1s', queue: 3 })
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 0 })
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 143 })
    clock.now += 857
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 285 })
  })

  test('and a look says the same without taking the turn', async () => {
    const { limiter } = store()
    const { consume, peek } = limiter({ limit: 10, window: '1s', queue: 3 })
    await consume('k')
    expect(await peek('k')).toMatchObject({ allowed: true, delayMs: 100 })
    expect(await peek('k')).toMatchObject({ allowed: true, delayMs: 100 })
  })

  test('no wait when nobody is ahead, and none is saved up for later', async () => {
    const { clock, limiter } = store()
    const { consume } = limiter({ limit: 10, window: '1s', queue: 3 })
    await consume('k')
    clock.now += 60 * second
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 0 })
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 100 })
  })
})

describe('without a queue', () => {
  test('a request goes ahead at once or is denied', async () => {
    const { clock, limiter } = store()
    const { consume } = limiter({ limit: 10, window: '1s', queue: 0 })
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 0, remaining: 0 })
    clock.now += 40_000
    expect(await consume('k')).toMatchObject({ allowed: false, retryAfterMs: 60 })
    clock.now += 60_000
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 0 })
    expect(await consume('other', 2)).toMatchObject({ allowed: false, retryAfterMs: null })
  })
})

describe('a cost of several turns', () => {
  test('goes ahead at the first of them, and the next one after all of them', async () => {
    const { limiter } = store()
    const { consume } = limiter({ limit: 10, window: '1s', queue: 5 })
    expect(await consume('k', 3)).toMatchObject({ allowed: true, delayMs: 0, remaining: 3 })
    expect(await consume('k', 2)).toMatchObject({ allowed: true, delayMs: 300, remaining: 1 })
    expect(await consume('k', 2)).toMatchObject({ allowed: false, retryAfterMs: 100 })
    expect(await consume('k', 1)).toMatchObject({ allowed: true, delayMs: 500, remaining: 0 })
  })

  test('never fits if more of them than the queue holds would have to wait', async () => {
    const { limiter } = store()
    const { consume } = limiter({ limit: 10, window: '1s', queue: 5 })
    expect(await consume('k', 7)).toMatchObject({ allowed: false, retryAfterMs: null })
    expect(await consume('k', 6)).toMatchObject({ allowed: true, delayMs: 0, resetAfterMs: 600 })
  })
})

describe('a refund', () => {
  async function three() {
    const { clock, limiter } = store()
    const { consume, refund, peek } = limiter({ limit: 10, window: '1s', queue: 5 })
    const decisions = [await consume('k'), await consume('k'), await consume('k')]
    return {
      clock,
      consume,
      peek,
      giveBack: async (index: number) => {
        const decision = decisions[index]!
        if (decision.allowed) await refund(decision)
      },
    }
  }

  test('of the last turn in the queue gives it to the next', async () => {
    const { consume, giveBack } = await three()
    await giveBack(2)
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 200 })
  })

  test('of a turn in the middle lets it pass unused, so that no two leave at once', async () => {
    const { consume, giveBack } = await three()
    await giveBack(1)
    expect(await consume('k')).toMatchObject({ allowed: true, delayMs: 300 })
  })

  test('of the last and then of the one before gives both back; the other way round only the last', async () => {
    const one = await three()
    await one.giveBack(2)
    await one.giveBack(1)
    expect(await one.peek('k')).toMatchObject({ delayMs: 100, remaining: 5 })
    const other = await three()
    await other.giveBack(1)
    await other.giveBack(2)
    expect(await other.peek('k')).toMatchObject({ delayMs: 200, remaining: 4 })
  })

  test('of a turn that has begun gives back what is left of it, of one that is over nothing', async () => {
    const begun = await three()
    begun.clock.now += 250_000
    await begun.giveBack(2)
    expect(await begun.peek('k')).toMatchObject({ delayMs: 0, remaining: 6 })
    const over = await three()
    over.clock.now += 300_000
    await over.consume('k')
    await over.giveBack(2)
    expect(await over.peek('k')).toMatchObject({ delayMs: 100 })
  })
})

test('a changed policy goes on with the time at which the last turn given is over', async () => {
  const { limiter } = store()
  const before = limiter({ limit: 10, window: '1s', queue: 5 })
  for (let i = 0; i < 4; i++) await before.consume('k')
  expect(await limiter({ limit: 5, window: '1s', queue: 5 }).peek('k')).toMatchObject({
    delayMs: 400,
    remaining: 4,
  })
  expect(await limiter({ limit: 10, window: '1s', queue: 3 }).peek('k')).toMatchObject({
    allowed: false,
    retryAfterMs: 100,
  })
})
