import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Allowed,
  createLimiter,
  type Decision,
  type DenyCacheOptions,
  denyCache,
  type Limiter,
  memoryStore,
  type Policy,
  type Request,
  type Ruling,
  type Store,
  shadow,
} from '../src/index.js'
import { ruling, spyStore } from './spy-store.js'
import { tally } from './tally.js'

/** Milliseconds on both clocks: the store's, and the monotonic one of the process. */
let ms: number

beforeEach(() => {
  ms = 5000
  vi.spyOn(performance, 'now').mockImplementation(() => ms)
})
afterEach(() => void vi.restoreAllMocks())

/** A memory store that counts how often it is asked. */
function counting() {
  const memory = memoryStore({ clock: () => 1_800_000_000_000_000 + Math.floor(ms * 1000) })
  const seen = { asked: 0 }
  const store: Store = {
    ...memory,
    decide(request) {
      seen.asked += 1
      return memory.decide(request)
    },
  }
  return { store, seen }
}

function cached<const P extends Readonly<Record<string, Policy>>>(
  policies: P,
  options?: DenyCacheOptions,
) {
  const { store, seen } = counting()
  const cache = denyCache(store, options)
  const prefix = 'shared'
  return {
    seen,
    store,
    cache,
    limiter: createLimiter({ store: cache, policies, prefix }),
    /** Another process, which has no part in this cache. */
    other: createLimiter({ store, policies, prefix }),
  }
}

async function allowed<N extends string>(decision: Promise<Decision<N>>): Promise<Allowed<N>> {
  const known = await decision
  if (!known.allowed) throw new Error('the test needs an allowed decision')
  return known
}

const sourceOf = async <N extends string>(decision: Promise<Decision<N>>) => (await decision).source

describe('a denied caller', () => {
  test('is refused without asking the store until the wait is over, and told what is left of it', async () => {
    const { limiter, seen } = cached({ p: tally(2, { windowMs: 600 }) })
    await limiter.consume('k', 2)
    const denied = await limiter.consume('k')
    expect(denied).toMatchObject({ source: 'store', retryAfterMs: 600, resetAfterMs: 600 })
    ms += 250.4
    expect(await limiter.consume('k')).toEqual({
      ...denied,
      retryAfterMs: 350,
      resetAfterMs: 350,
      policies: { p: { ...denied.policies.p, resetAfterMs: 350 } },
      source: 'cache',
    })
    ms += 348.5
    expect(await limiter.consume('k')).toMatchObject({ source: 'cache', retryAfterMs: 2 })
    expect(seen.asked).toBe(2)
    ms += 0.2 // a clock that ticks in milliseconds may be as far as the end by now
    expect(await limiter.consume('k')).toMatchObject({ source: 'store', retryAfterMs: 1 })
    ms += 1
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, source: 'store' })
    expect(seen.asked).toBe(4)
  })

  test('counts the wait from when the question was sent, not from when the answer came', async () => {
    let answer = (_: Ruling): void => {}
    const store = spyStore(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const limiter = createLimiter({ store: denyCache(store), policies: { p: tally(2) } })
    const asked = limiter.consume('k')
    ms += 400
    answer(ruling({ allowed: false, wait: 500_000 }))
    await asked
    ms += 98
    expect(await limiter.consume('k')).toMatchObject({ source: 'cache', retryAfterMs: 2 })
    ms += 1
    const again = limiter.consume('k')
    expect(store.requests).toHaveLength(2)
    answer(ruling({}))
    await again
  })

  test('waits for all policies that denied, and not for a shadow', async () => {
    const { limiter, seen } = cached({
      short: tally(1, { windowMs: 100 }),
      long: tally(1, { windowMs: 400 }),
      tried: shadow(tally(1, { windowMs: 900 })),
      free: tally(9, { windowMs: 800 }),
    })
    await limiter.consume('k')
    await limiter.consume('k')
    ms += 398
    expect(await limiter.consume('k')).toMatchObject({ source: 'cache', policy: 'long' })
    ms += 2
    expect(await limiter.consume('k')).toMatchObject({ source: 'store', allowed: true })
    expect(seen.asked).toBe(3)
  })

  test('is asked about again after maxAgeMs, by default a second', async () => {
    for (const [options, age] of [
      [{}, 1000],
      [{ maxAgeMs: 50 }, 50],
    ] as const) {
      const { limiter, other } = cached({ p: tally(2, { windowMs: 60_000 }) }, options)
      const decision = await allowed(other.consume('k', 2))
      await limiter.consume('k')
      await other.refund(decision)
      ms += age - 1
      expect(await sourceOf(limiter.consume('k'))).toBe('cache')
      ms += 1
      expect(await limiter.consume('k')).toMatchObject({ source: 'store', allowed: true })
    }
  })

  test('stays refused when the clock of the day steps', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    const { limiter } = cached({ p: tally(1) })
    await limiter.consume('k')
    await limiter.consume('k')
    vi.setSystemTime(1_900_000_000_000)
    expect(await sourceOf(limiter.consume('k'))).toBe('cache')
    vi.setSystemTime(1_700_000_000_000)
    expect(await sourceOf(limiter.consume('k'))).toBe('cache')
    vi.useRealTimers()
  })

  test('can still look, be charged and be given back to', async () => {
    const { limiter, seen } = cached({ p: tally(2) })
    const decision = await allowed(limiter.consume('k', 2))
    await limiter.consume('k')
    await limiter.peek('k')
    await limiter.charge('k', 1)
    await limiter.refund(decision)
    expect(seen.asked).toBe(5)
  })
})

describe('a denial says nothing about', () => {
  test('another cost', async () => {
    const { limiter } = cached({ p: tally(5) })
    await limiter.consume('k', 3)
    expect(await limiter.consume('k', 3)).toMatchObject({ allowed: false })
    expect(await limiter.consume('k', 2)).toMatchObject({ allowed: true, source: 'store' })
  })

  test('another key, also where only one of two differs', async () => {
    const { limiter } = cached({ a: tally(1), b: tally(2) })
    await limiter.consume({ a: 'x', b: 'y' })
    await limiter.consume({ a: 'x', b: 'y' })
    expect(await sourceOf(limiter.consume({ a: 'x', b: 'z' }))).toBe('store')
    expect(await sourceOf(limiter.consume({ a: 'z', b: 'y' }))).toBe('store')
  })

  test('another policy, for a call or for good', async () => {
    const { limiter } = cached({ p: tally(1) })
    const call = { policies: { p: tally(5) } }
    await limiter.consume('k')
    await limiter.consume('k')
    expect(await limiter.consume('k', 1, call)).toMatchObject({ allowed: true, source: 'store' })
    await limiter.consume('k')
    limiter.replace(call.policies)
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, source: 'store' })
  })

  test('what another policy leaves behind, which may read the state otherwise', async () => {
    // Counted under a window of 10 ms, the state of the hour is over; so it is with real rules.
    const hour = tally(1, { windowMs: 3_600_000 })
    const { limiter, store } = cached({ p: hour })
    const brief = { policies: { p: tally(5, { windowMs: 10 }) } }
    await limiter.consume('k')
    expect(await sourceOf(limiter.consume('k'))).toBe('store')
    expect(await sourceOf(limiter.consume('k'))).toBe('cache')
    await limiter.consume('k', 1, brief)
    await store.forget(['shared:p:tally:{k}'])
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, source: 'store' })
  })
})

describe('what this process changes counts at once:', () => {
  async function denied() {
    const made = cached({ p: tally(3, { windowMs: 600 }), q: tally(50) })
    const { limiter } = made
    const decision = await allowed(limiter.consume('k', 3))
    expect(await sourceOf(limiter.consume('k'))).toBe('store')
    expect(await sourceOf(limiter.consume('k'))).toBe('cache')
    return { ...made, decision }
  }

  test('a refund', async () => {
    const { limiter, decision } = await denied()
    await limiter.refund(decision, 1)
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, source: 'store' })
  })

  test('a refund of which nobody waits for the end', async () => {
    const { limiter, decision } = await denied()
    const [, next] = await Promise.all([limiter.refund(decision, 1), limiter.consume('k')])
    expect(next).toMatchObject({ allowed: true, source: 'store' })
  })

  test('a settled reservation', async () => {
    const { limiter } = cached({ p: tally(3) })
    const reservation = await limiter.reserve('k', 3)
    await limiter.consume('k')
    if (reservation.allowed) await reservation.settle(1)
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, source: 'store' })
  })

  test('a reset', async () => {
    const { limiter } = await denied()
    await limiter.reset('k')
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, source: 'store' })
  })

  test('also when it fails, since it may have happened', async () => {
    for (const act of ['refund', 'reset'] as const) {
      let fails = false
      const { store } = counting()
      const cache = denyCache({
        async decide(request) {
          const ruling = await store.decide(request)
          if (fails && request.mode === 'giveBack') throw new Error('lost')
          return ruling
        },
        forget: (keys) => store.forget(keys).then(() => Promise.reject(new Error('lost'))),
      })
      const limiter = createLimiter({ store: cache, policies: { p: tally(3) } })
      const decision = await allowed(limiter.consume('k', 3))
      await limiter.consume('k')
      fails = true
      const done = act === 'refund' ? limiter.refund(decision) : limiter.reset('k')
      await expect(done).rejects.toThrow('lost')
      expect(await limiter.consume('k')).toMatchObject({ allowed: true, source: 'store' })
    }
  })

  test('of one key, and of no other', async () => {
    const { limiter, decision } = await denied()
    await limiter.consume('other', 3)
    await limiter.consume('other')
    await limiter.refund(decision)
    expect(await sourceOf(limiter.consume('other'))).toBe('cache')
  })

  test('of any policy’s key', async () => {
    const { limiter } = cached({ a: tally(50), b: tally(2) })
    const decision = await allowed(limiter.consume({ a: 'x', b: 'y' }, 2))
    await limiter.consume({ a: 'z', b: 'y' })
    expect(await sourceOf(limiter.consume({ a: 'z', b: 'y' }))).toBe('cache')
    await limiter.refund(decision, { b: 1 })
    expect(await limiter.consume({ a: 'z', b: 'y' })).toMatchObject({ allowed: true })
  })

  test.each([
    ['refund', 'answered'],
    ['refund', 'still under way'],
    ['reset', 'answered'],
    ['reset', 'still under way'],
  ])('the answer to a question asked before a %s that is %s is not kept', async (act, how) => {
    const { limiter, pending } = hanging()
    const first = limiter.consume('k')
    pending.shift()?.answer()
    const decision = await allowed(first)

    const question = limiter.consume('k')
    const consumed = pending.shift()
    const done = act === 'refund' ? limiter.refund(decision) : limiter.reset('k')
    await Promise.resolve()
    const changed = pending.shift()
    if (how === 'answered') {
      changed?.answer()
      await done
    }
    consumed?.answer(ruling({ allowed: false, wait: 900_000 }))
    expect(await question).toMatchObject({ allowed: false })
    void limiter.consume('k')
    expect(pending.map(({ mode }) => mode)).toEqual(['consume'])
    changed?.answer()
    await done
  })
})

/** A store that answers when the test says so. */
function hanging() {
  const pending: { readonly mode: string; answer(ruling?: Ruling): void }[] = []
  const hold = (mode: string) =>
    new Promise<Ruling>((resolve) => pending.push({ mode, answer: (r = ruling({})) => resolve(r) }))
  const store: Store = {
    decide: ({ mode }: Request) => hold(mode),
    forget: async () => void (await hold('forget')),
  }
  const limiter = createLimiter({ store: denyCache(store), policies: { p: tally(3) } })
  return { limiter, pending }
}

test.each(['refund', 'reset'])(
  'a denial told during a %s is dropped at the end of it',
  async (act) => {
    const { limiter, pending } = hanging()
    const first = limiter.consume('k')
    pending.shift()?.answer()
    const decision = await allowed(first)
    const done = act === 'refund' ? limiter.refund(decision) : limiter.reset('k')
    const change = pending.shift()
    const question = limiter.consume('k')
    pending.shift()?.answer(ruling({ allowed: false, wait: 900_000 }))
    await question
    expect(await sourceOf(limiter.consume('k'))).toBe('cache')
    change?.answer()
    await done
    void limiter.consume('k')
    expect(pending.map(({ mode }) => mode)).toEqual(['consume'])
  },
)

describe('memory is bounded:', () => {
  test('the oldest denial goes first', async () => {
    const { limiter } = cached({ p: tally(1) }, { maxKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd']) {
      await limiter.consume(key)
      await limiter.consume(key)
    }
    const known = []
    for (const key of ['b', 'c', 'd']) known.push(await sourceOf(limiter.consume(key)))
    expect(known).toEqual(['cache', 'cache', 'cache'])
    expect(await sourceOf(limiter.consume('a'))).toBe('store')
  })

  test('nothing is kept of what is over, whatever came of it', async () => {
    const sizes = new Set<Map<unknown, unknown>>()
    const set = vi.spyOn(Map.prototype, 'set').mockImplementation(function (
      this: Map<unknown, unknown>,
      key,
      value,
    ) {
      if (typeof value === 'object') sizes.add(this) // not the limiter's own, of stored keys
      return Reflect.apply(originalSet, this, [key, value])
    })
    const store = spyStore(({ targets: [target] }) => {
      if (target?.key.includes('fails')) throw new Error('down')
      return ruling({ allowed: false, wait: 1000 })
    })
    const limiter = createLimiter({
      store: denyCache(store, { maxKeys: 5 }),
      policies: { p: tally(2) },
    })
    sizes.clear()
    for (let i = 0; i < 50; i++) {
      await limiter.consume(`k${i}`)
      await limiter.consume(`k${i}`, 2)
      await limiter.consume(`fails${i}`).catch(() => {})
      await limiter.reset(`k${i - 20}`)
    }
    set.mockRestore()
    expect([...sizes].map(({ size }) => size)).toEqual([5, 5])
  })

  test.each([
    [{ maxKeys: 0 }, 'maxKeys must be a positive integer, got 0'],
    [{ maxAgeMs: 0.5 }, 'maxAgeMs must be a positive integer, got 0.5'],
  ])('it refuses %j', (options, message) => {
    expect(() => denyCache(memoryStore(), options)).toThrow(message)
  })
})

const originalSet = Map.prototype.set

test('whoever the clock of the store allows is not denied, though it ticks in milliseconds', async () => {
  // What it counts at 0.9 ms it takes for counted at 0, and what it is asked at 5 for asked at 5.
  const store = memoryStore({ clock: () => Math.floor(ms) * 1000 })
  const policies = { p: tally(1, { windowMs: 5 }) }
  const limiter = createLimiter({ store: denyCache(store), policies })
  ms = 1000.9
  await limiter.consume('k')
  await limiter.consume('k')
  ms = 1005
  expect(await limiter.consume('k')).toMatchObject({ allowed: true })
})

test('a store that the process shares with nobody denies the same with and without the cache', async () => {
  type Step =
    | { readonly do: 'wait'; readonly ms: number }
    | {
        readonly do: 'consume' | 'charge'
        readonly cost: number
        readonly key: number
        readonly plan: number
      }
    | { readonly do: 'refund'; readonly which: number; readonly cost: number }
    | { readonly do: 'reset'; readonly key: number }
  const plans: readonly Policy[] = [3, 5].map((limit) => tally(limit, { windowMs: 200 * limit }))
  const cost = fc.integer({ min: 1, max: 3 })
  const key = fc.nat(1)
  const steps: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.oneof(fc.nat(700), fc.constantFrom(0.4, 599.6, 600, 1000)),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'consume' as const,
          'consume' as const,
          'consume' as const,
          'charge' as const,
        ),
        cost,
        key,
        plan: fc.constantFrom(0, 0, 0, 1),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('refund' as const), which: fc.nat(20), cost }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), key }) },
  )
  let fromCache = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 5, maxLength: 60, size: 'max' }),
      async (history) => {
        ms = 5000
        const policies = { p: plans[0]!, q: tally(9, { windowMs: 300 }) }
        const make = (store: Store): Limiter<'p' | 'q'> => createLimiter({ store, policies })
        const both = [make(counting().store), make(denyCache(counting().store, { maxKeys: 2 }))]
        const granted: Allowed<'p' | 'q'>[][] = []
        for (const step of history) {
          if (step.do === 'wait') ms += step.ms
          else if (step.do === 'reset') for (const one of both) await one.reset(`k${step.key}`)
          else if (step.do === 'refund') {
            const pair = granted[step.which % granted.length]
            for (const [i, one] of both.entries()) {
              if (pair !== undefined) await one.refund(pair[i]!, step.cost).catch(() => {})
            }
          } else {
            const call = { policies: { p: plans[step.plan]! } }
            const key = `k${step.key}`
            if (step.do === 'charge') {
              for (const one of both) await one.charge(key, step.cost, call)
              continue
            }
            const [bare, own] = [
              await both[0]!.consume(key, step.cost, call),
              await both[1]!.consume(key, step.cost, call),
            ]
            expect(own.allowed).toBe(bare.allowed)
            if (own.source === 'cache') fromCache += 1
            if (own.allowed && bare.allowed) granted.push([bare, own])
          }
        }
      },
    ),
    { numRuns: 300 },
  )
  expect(fromCache).toBeGreaterThan(100)
})

test('of other processes it misses only what is younger than maxAgeMs', async () => {
  const maxAgeMs = 100
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          ms: fc.oneof(fc.nat(150), fc.constantFrom(1, 99, 100, 101)),
          who: fc.constantFrom('here', 'here', 'there: refund', 'there: reset'),
        }),
        { minLength: 5, maxLength: 40, size: 'max' },
      ),
      async (history) => {
        ms = 5000
        const { limiter, other } = cached({ p: tally(2, { windowMs: 2000 }) }, { maxAgeMs })
        const counted: Allowed<'p'>[] = []
        let changedMs = Number.NEGATIVE_INFINITY
        for (const step of history) {
          ms += step.ms
          if (step.who === 'here') {
            const look = await other.peek('k')
            const decision = await limiter.consume('k')
            if (decision.allowed) counted.push(decision)
            else if (look.allowed) expect(ms - changedMs).toBeLessThan(maxAgeMs)
            continue
          }
          if (step.who === 'there: reset') await other.reset('k')
          else {
            const decision = await other.consume('k')
            if (decision.allowed) await other.refund(decision)
          }
          changedMs = ms
        }
      },
    ),
    { numRuns: 200 },
  )
})
