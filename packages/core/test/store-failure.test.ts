import { describe, expect, test } from 'vitest'
import {
  type Allowed,
  allowOnFailure,
  createLimiter,
  type Decision,
  denyCache,
  denyOnFailure,
  type ErrorCode,
  type Limiter,
  memoryStore,
  SpillwayError,
  type Store,
  shadow,
  withFallback,
  withTimeout,
} from '../src/index.js'
import { spyStore } from './spy-store.js'
import { tally } from './tally.js'

/** A memory store that can be switched off. */
function switched() {
  const memory = memoryStore()
  const state = { code: undefined as ErrorCode | undefined, asked: 0 }
  const checked = async <T>(ask: () => T | Promise<T>): Promise<T> => {
    state.asked += 1
    const { code } = state
    if (code !== undefined) throw new SpillwayError(code, 'off', { cause: state })
    return ask()
  }
  const store: Store = {
    decide: (request) => checked(() => memory.decide(request)),
    forget: (keys) => checked(() => memory.forget(keys)),
  }
  return { store, state }
}

const one = (store: Store): Limiter<'p'> =>
  createLimiter({ store, policies: { p: tally(5, { windowMs: 3_600_000 }) } })

async function allowed<N extends string>(decision: Promise<Decision<N>>): Promise<Allowed<N>> {
  const known = await decision
  if (!known.allowed) throw new Error('the test needs an allowed decision')
  return known
}

const failures = ['STORE_UNAVAILABLE', 'STORE_INDETERMINATE'] as const

const wrappers = [
  ['withFallback', (store: Store) => withFallback(store, memoryStore())],
  ['allowOnFailure', (store: Store) => allowOnFailure(store)],
  ['denyOnFailure', (store: Store) => denyOnFailure(store)],
  ['withTimeout', (store: Store) => withTimeout(store, 1000)],
  ['denyCache', (store: Store) => denyCache(store)],
] as const

describe.each(wrappers)('%s', (_, wrap) => {
  test('changes nothing while the store works', async () => {
    const bare = one(memoryStore())
    const wrapped = one(wrap(memoryStore()))
    for (const limiter of [bare, wrapped]) await limiter.consume('k', 4)
    const rest = async (limiter: Limiter<'p'>) => {
      const decision = await allowed(limiter.consume('k'))
      const { remaining, source } = decision
      await limiter.refund(decision)
      await limiter.charge('k', 3)
      const denied = await limiter.consume('k')
      await limiter.reset('k')
      return [remaining, source, denied.allowed, (await limiter.peek('k')).remaining]
    }
    expect(await rest(wrapped)).toEqual(await rest(bare))
  })

  test.each(['refund', 'charge', 'reset'])('makes no secret of a failed %s', async (what) => {
    const { store, state } = switched()
    const limiter = one(wrap(store))
    const decision = await allowed(limiter.consume('k'))
    state.code = 'STORE_UNAVAILABLE'
    const act = { refund: () => limiter.refund(decision), charge: () => limiter.charge('k', 1) }
    const done = what === 'reset' ? limiter.reset('k') : act[what as keyof typeof act]()
    await expect(done).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })

  test('hands misuse and mistakes on as they are', async () => {
    for (const error of [
      new SpillwayError('INVALID_ARGUMENT', 'keys must share a slot'),
      new SpillwayError('CONTRACT_MISMATCH', 'two versions'),
      new TypeError('a mistake in somebody’s store'),
    ]) {
      const limiter = one(wrap(spyStore(() => Promise.reject(error))))
      await expect(limiter.consume('k')).rejects.toBe(error)
      await expect(limiter.peek('k')).rejects.toBe(error)
    }
  })
})

describe.each(failures)('after %s', (code) => {
  test('withFallback asks the other store, and says so', async () => {
    const { store, state } = switched()
    const limiter = one(withFallback(store, memoryStore()))
    await limiter.consume('k', 2)
    state.code = code
    expect(await limiter.consume('k')).toMatchObject({ remaining: 4, source: 'fallback' })
    expect(await limiter.peek('k')).toMatchObject({ remaining: 4, source: 'fallback' })
    state.code = undefined
    expect(await limiter.consume('k')).toMatchObject({ remaining: 2, source: 'store' })
  })

  test('allowOnFailure lets questions through, and counts nothing', async () => {
    const { store, state } = switched()
    const limiter = one(allowOnFailure(store))
    await limiter.consume('k', 5)
    state.code = code
    const assumed = { allowed: true, remaining: 0, delayMs: 0, source: 'assumed' }
    const decision = await allowed(limiter.consume('k', 3))
    expect(decision).toMatchObject(assumed)
    expect(await limiter.peek('k')).toMatchObject(assumed)
    const { asked } = state
    await limiter.refund(decision) // which had counted nothing
    await limiter.refund(decision, 3)
    expect(state.asked).toBe(asked)
    state.code = undefined
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, source: 'store' })
  })

  test('denyOnFailure denies questions, for as long as it is told', async () => {
    const { store, state } = switched()
    const [plain, patient] = [one(denyOnFailure(store)), one(denyOnFailure(store, '30s'))]
    state.code = code
    const assumed = { allowed: false, retryAfterMs: 1000, source: 'assumed', policy: 'p' }
    expect(await plain.consume('k')).toMatchObject(assumed)
    expect(await plain.peek('k')).toMatchObject(assumed)
    expect(await patient.consume('k')).toMatchObject({ retryAfterMs: 30_000 })
    state.code = undefined
    expect(await plain.consume('k')).toMatchObject({ allowed: true, source: 'store' })
  })
})

test('denyOnFailure enforces no shadow', async () => {
  const { store, state } = switched()
  state.code = 'STORE_UNAVAILABLE'
  const wrapped = denyOnFailure(store)
  const tried = createLimiter({ store: wrapped, policies: { tried: shadow(tally(5)) } })
  expect(await tried.consume('k')).toMatchObject({ allowed: true, source: 'assumed' })
  const policies = { tried: shadow(tally(5)), real: tally(5) }
  const both = createLimiter({ store: wrapped, policies })
  expect(await both.consume('k')).toMatchObject({ allowed: false, policy: 'real' })
})

test.each([0, -1, '1 s', undefined])('denyOnFailure refuses to make callers wait %j', (bad) => {
  const make = () => denyOnFailure(memoryStore(), bad as never)
  if (bad === undefined) expect(make).not.toThrow()
  else expect(make).toThrow('retryAfter must be')
})

describe('withFallback', () => {
  test('refunds and settles where the cost was counted, wherever that is', async () => {
    const { store, state } = switched()
    const other = memoryStore()
    const limiter = one(withFallback(store, other))
    const first = await allowed(limiter.consume('k', 2))
    state.code = 'STORE_UNAVAILABLE'
    const second = await limiter.reserve('k', 3)
    if (!second.allowed) throw new Error('the test needs an allowed reservation')
    state.code = undefined
    await limiter.refund(first, 1)
    await second.settle(4)
    const [own, others] = [one(store), one(other)]
    expect((await own.peek('k')).remaining).toBe(4)
    expect((await others.peek('k')).remaining).toBe(1)
    await limiter.refund(second)
    expect((await others.peek('k')).remaining).toBe(4) // what was estimated; the excess is a fact
  })

  test('nested, on either side, hands on who counted', async () => {
    for (const nest of [
      (a: Store, b: Store, c: Store) => withFallback(withFallback(a, b), c),
      (a: Store, b: Store, c: Store) => withFallback(a, withFallback(b, c)),
    ]) {
      const [a, b, c] = [switched(), switched(), switched()]
      const limiter = one(nest(a.store, b.store, c.store))
      a.state.code = 'STORE_UNAVAILABLE'
      const byB = await allowed(limiter.consume('k', 2))
      b.state.code = 'STORE_INDETERMINATE'
      const byC = await allowed(limiter.consume('k', 3))
      expect([byB.source, byC.source]).toEqual(['fallback', 'fallback'])
      expect([byB.remaining, byC.remaining]).toEqual([3, 2])
      b.state.code = undefined
      await limiter.refund(byB)
      await limiter.refund(byC)
      for (const { store } of [b, c]) expect((await one(store).peek('k')).remaining).toBe(5)
      c.state.code = 'STORE_UNAVAILABLE'
      b.state.code = 'STORE_UNAVAILABLE'
      await expect(limiter.consume('k')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    }
  })

  test('does not call counted what its other store only assumed', async () => {
    const { store, state } = switched()
    state.code = 'STORE_UNAVAILABLE'
    for (const wrap of [
      (store: Store) => withFallback(store, allowOnFailure(store)),
      (store: Store) => allowOnFailure(withFallback(store, store)),
    ]) {
      const limiter = one(wrap(store))
      const decision = await allowed(limiter.consume('k'))
      expect(decision.source).toBe('assumed')
      const { asked } = state
      await limiter.refund(decision)
      expect(state.asked).toBe(asked)
    }
  })

  test('resets both', async () => {
    const { store, state } = switched()
    const other = memoryStore()
    const limiter = one(withFallback(store, other))
    await limiter.consume('k', 2)
    state.code = 'STORE_UNAVAILABLE'
    await limiter.consume('k', 3)
    state.code = undefined
    await limiter.reset('k')
    for (const each of [store, other]) expect((await one(each).peek('k')).remaining).toBe(5)
  })

  test('tells both stores of the caller', async () => {
    const callers: unknown[] = []
    const fail: Store = {
      async decide(_, caller) {
        callers.push(caller)
        throw new SpillwayError('STORE_UNAVAILABLE', 'off', { cause: callers })
      },
      async forget() {},
    }
    const caller = { gone: false }
    const request = { mode: 'consume', targets: [{ policy: tally(1), key: 'k', cost: 1 }] } as const
    const asked = withFallback(denyOnFailure(fail), fail).decide(request, caller)
    expect(await asked).toMatchObject({ allowed: false })
    await expect(withFallback(fail, denyCache(fail)).decide(request, caller)).rejects.toThrow('off')
    expect(callers).toEqual([caller, caller, caller])
  })
})

test('a deny cache keeps only what the store itself denied', async () => {
  const { store, state } = switched()
  state.code = 'STORE_UNAVAILABLE'
  for (const wrap of [
    (store: Store) => denyCache(denyOnFailure(store)),
    (store: Store) => denyCache(withFallback(store, memoryStore())),
  ]) {
    const limiter = one(wrap(store))
    for (let i = 0; i < 7; i++) await limiter.consume('k')
    const { asked } = state
    expect((await limiter.consume('k')).source).not.toBe('cache')
    expect(state.asked).toBe(asked + 1)
  }
})
