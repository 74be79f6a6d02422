import { describe, expect, test } from 'vitest'
import { createLimiter, type Limiter, memoryStore, type TargetRuling } from '../src/index.js'
import { ruling, spyStore } from './spy-store.js'
import { tally } from './tally.js'

const policies = { short: tally(10), long: tally(100), day: tally(1000) }

/** A limiter of three policies over a store that rules as given. */
function ruled(...targets: readonly Partial<TargetRuling>[]) {
  return createLimiter({ store: spyStore(() => ruling(...targets)), policies })
}

describe('which policy leads:', () => {
  test('of those that denied, the one with the longest wait', async () => {
    const limiter = ruled(
      { allowed: false, wait: 1000 },
      { allowed: false, wait: 9000, remaining: 3, reset: 20_000 },
      { allowed: true, wait: 99_000, remaining: 0 },
    )
    expect(await limiter.consume('k')).toMatchObject({
      allowed: false,
      policy: 'long',
      retryAfterMs: 9,
      limit: 100,
      remaining: 3,
      resetAfterMs: 20,
    })
  })

  test('when all allowed, the one with the least left', async () => {
    const limiter = ruled({ remaining: 5 }, { remaining: 4, reset: 7000 }, { remaining: 6 })
    expect(await limiter.consume('k')).toMatchObject({
      allowed: true,
      policy: 'long',
      limit: 100,
      remaining: 4,
      resetAfterMs: 7,
    })
  })

  test('of equals, the first that was named', async () => {
    const allowed = ruled({ remaining: 4 }, { remaining: 4 }, { remaining: 4 })
    expect(await allowed.consume('k')).toMatchObject({ policy: 'short' })
    const denied = ruled({}, { allowed: false, wait: 5 }, { allowed: false, wait: 5 })
    expect(await denied.consume('k')).toMatchObject({ policy: 'long' })
  })

  test('and all of them are told', async () => {
    const limiter = ruled({ remaining: 1 }, { remaining: 2 }, { allowed: false, wait: 1 })
    const { policies: all } = await limiter.consume('k')
    expect(all).toEqual({
      short: { allowed: true, limit: 10, remaining: 1, resetAfterMs: 0 },
      long: { allowed: true, limit: 100, remaining: 2, resetAfterMs: 0 },
      day: { allowed: false, limit: 1000, remaining: 0, resetAfterMs: 0 },
    })
  })
})

describe('durations are whole milliseconds, rounded up:', () => {
  test.each([
    [0, 0],
    [1, 1],
    [999, 1],
    [1000, 1],
    [1001, 2],
    [31_536_000_000_000, 31_536_000_000],
  ])('%i µs are %i ms', async (us, ms) => {
    const denied = ruled({ allowed: false, wait: us, reset: us }, {}, {})
    expect(await denied.consume('k')).toMatchObject({ retryAfterMs: ms, resetAfterMs: ms })
    const allowed = ruled({ wait: us, reset: us }, { remaining: 1 }, { remaining: 1 })
    expect(await allowed.consume('k')).toMatchObject({ delayMs: ms, resetAfterMs: ms })
  })
})

test('the delay is the longest of any policy, whichever leads', async () => {
  const limiter = ruled({ remaining: 0, wait: 1000 }, { remaining: 5, wait: 3000 }, { wait: 2000 })
  expect(await limiter.consume('k')).toMatchObject({ policy: 'short', delayMs: 3 })
})

test('a denial has no receipt and no delay, an allowed decision no retryAfterMs', async () => {
  const denied = await ruled({ allowed: false, wait: 1 }, {}, {}).consume('k')
  expect(Object.keys(denied).sort()).toEqual(
    'allowed limit policies policy remaining resetAfterMs retryAfterMs source'.split(' '),
  )
  const allowed = await ruled({}, {}, {}).consume('k')
  expect(Object.keys(allowed).sort()).toEqual(
    'allowed delayMs limit policies policy receipt remaining resetAfterMs source'.split(' '),
  )
  const seen = await ruled({}, {}, {}).peek('k')
  expect(seen).not.toHaveProperty('receipt')
})

test('it says who decided', async () => {
  for (const source of ['store', 'cache', 'fallback'] as const) {
    const store = spyStore(() => ({ ...ruling({}, {}, {}), source }))
    const limiter = createLimiter({ store, policies })
    expect(await limiter.consume('k')).toMatchObject({ source })
  }
})

test('what is written down of a decision tells no key', async () => {
  const decision = await createLimiter({ store: memoryStore(), policies }).consume('user@host')
  expect(JSON.stringify(decision)).not.toContain('user@host')
})

describe('a cost above the capacity', () => {
  const store = spyStore()
  const limiter = createLimiter({ store, policies })

  test('is denied without a wait that would help, by the policy it never fits, unasked', async () => {
    expect(await limiter.consume('k', 101)).toEqual({
      allowed: false,
      policy: 'short',
      limit: 10,
      remaining: 0,
      resetAfterMs: 0,
      retryAfterMs: null,
      source: 'assumed',
      policies: {
        short: { allowed: false, limit: 10, remaining: 0, resetAfterMs: 0 },
        long: { allowed: false, limit: 100, remaining: 0, resetAfterMs: 0 },
        day: { allowed: true, limit: 1000, remaining: 0, resetAfterMs: 0 },
      },
    })
    expect(await limiter.consume('k', { short: 1, long: 101, day: 1 })).toMatchObject({
      policy: 'long',
      limit: 100,
      retryAfterMs: null,
      policies: { short: { allowed: true }, long: { allowed: false } },
    })
    expect(store.calls).toBe(0)
  })

  test('is asked when it fits exactly', async () => {
    expect(await limiter.consume('k', 10)).toMatchObject({ allowed: true, source: 'store' })
    expect(store.calls).toBe(1)
  })

  test('is refused as misuse first, when the key is', async () => {
    await expect(limiter.consume('', 101)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })
})

describe('several policies', () => {
  let now = 1_800_000_000_000_000
  const limiter = createLimiter({
    store: memoryStore({ clock: () => now }),
    policies: { short: tally(2, { windowMs: 1000 }), long: tally(3, { windowMs: 10_000 }) },
  })

  test('are all or nothing: what one denies, none counts, and each says what is truly left', async () => {
    await limiter.consume('k', 2)
    for (let i = 0; i < 5; i++) {
      expect(await limiter.consume('k')).toMatchObject({
        allowed: false,
        policy: 'short',
        retryAfterMs: 1000,
        policies: { short: { remaining: 0 }, long: { allowed: true, remaining: 1 } },
      })
    }
    now += 1_000_000
    expect(await limiter.consume('k')).toMatchObject({
      allowed: true,
      policy: 'long',
      remaining: 0,
    })
    expect(await limiter.consume('k')).toMatchObject({
      allowed: false,
      policy: 'long',
      retryAfterMs: 9000,
      policies: { short: { allowed: true, remaining: 1 } },
    })
  })

  test('take a cost each', async () => {
    expect(await limiter.consume('other', { short: 1, long: 3 })).toMatchObject({
      allowed: true,
      policies: { short: { remaining: 1 }, long: { remaining: 0 } },
    })
  })
})

test('a peek tells what a cost of 1 meets now, and counts nothing', async () => {
  const limiter = createLimiter({ store: memoryStore(), policies: { p: tally(1) } })
  for (let i = 0; i < 3; i++) {
    expect(await limiter.peek('k')).toMatchObject({ allowed: true, remaining: 1 })
  }
  await limiter.consume('k')
  expect(await limiter.peek('k')).toMatchObject({ allowed: false, remaining: 0 })
})

test('a policy may serve many limiters, which share nothing unless store, prefix and name agree', async () => {
  const store = memoryStore()
  const policy = tally(1)
  const limiters: readonly Limiter<string>[] = [
    createLimiter({ store, policies: { a: policy } }),
    createLimiter({ store, policies: { b: policy } }),
    createLimiter({ store, prefix: 'app', policies: { a: policy } }),
    createLimiter({ store: memoryStore(), policies: { a: policy } }),
  ]
  const decisions = await Promise.all(limiters.map(({ consume }) => consume('k')))
  expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, true])
  const again = createLimiter({ store, policies: { a: policy } })
  expect(await again.consume('k')).toMatchObject({ allowed: false })
})
