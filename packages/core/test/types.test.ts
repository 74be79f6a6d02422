import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type AbortSignalLike,
  type Allowed,
  allowOnFailure,
  type Cost,
  createLimiter,
  type Decision,
  type DecisionEvent,
  type Denied,
  type Duration,
  denyCache,
  denyOnFailure,
  type Key,
  type Limiter,
  type Look,
  memoryStore,
  type Outcome,
  type Policy,
  type Quota,
  type Receipt,
  type Refund,
  type Reservation,
  type Reserved,
  type SpillwayError,
  type Store,
  shadow,
  withFallback,
  withTimeout,
} from '../src/index.js'
import { tally } from './tally.js'

// What stands here is checked by `tsc -p test`; it runs as well, so that it cannot go stale.

const store = memoryStore()
const limiter = createLimiter({ store, policies: { requests: tally(10), tokens: tally(1000) } })
type N = 'requests' | 'tokens'

describe('policy names are literal types', () => {
  test('of the limiter', () => {
    expectTypeOf(limiter).toEqualTypeOf<Limiter<N>>()
  })

  test('in keys', async () => {
    expectTypeOf<Key<N>>().toEqualTypeOf<string | Readonly<Record<N, string>>>()
    await limiter.consume({ requests: 'ip', tokens: 'user' })
    // @ts-expect-error -- a policy has no key
    await expect(limiter.consume({ requests: 'ip' })).rejects.toThrow('key.tokens')
    const withOops = { requests: 'ip', tokens: 'user', oops: 'x' } as const
    // @ts-expect-error -- no policy has this name
    await expect(limiter.consume({ ...withOops, oops: 'x' })).rejects.toThrow('oops')
    // @ts-expect-error -- a number is no key
    await expect(limiter.peek(42)).rejects.toThrow('key')
  })

  test('in costs', async () => {
    expectTypeOf<Cost<N>>().toEqualTypeOf<number | Readonly<Record<N, number>>>()
    await limiter.consume('k', { requests: 1, tokens: 5 })
    // @ts-expect-error -- a policy has no cost
    await expect(limiter.consume('k', { tokens: 5 })).rejects.toThrow('cost.requests')
    // @ts-expect-error -- no policy has this name
    await expect(limiter.consume('k', { requests: 1, tokens: 5, oops: 1 })).rejects.toThrow('cost')
    // @ts-expect-error -- a string is no cost
    await expect(limiter.consume('k', '5')).rejects.toThrow('cost')
  })

  test('in decisions', async () => {
    const decision = await limiter.consume('k')
    expectTypeOf(decision.policy).toEqualTypeOf<N>()
    expectTypeOf(decision.policies).toEqualTypeOf<Readonly<Record<N, Quota>>>()
    // @ts-expect-error -- no policy has this name
    expect(decision.policies.oops).toBe(undefined)
  })

  test('in slotBy', () => {
    const policies = { requests: tally(10), tokens: tally(1000) }
    createLimiter({ store, policies, slotBy: 'tokens' })
    // @ts-expect-error -- no policy has this name
    expect(() => createLimiter({ store, policies, slotBy: 'oops' })).toThrow('slotBy')
  })

  test('and still fit wherever any limiter is taken', () => {
    expectTypeOf(limiter).toExtend<Limiter<string>>()
  })

  test('and any string where policies are made at run time', () => {
    const made: Record<string, Policy> = { requests: tally(1) }
    expectTypeOf(createLimiter({ store, policies: made })).toEqualTypeOf<Limiter<string>>()
  })
})

describe('what a decision holds depends on whether it is allowed:', () => {
  test('retryAfterMs only after a look at it', async () => {
    const decision = await limiter.consume('k')
    // @ts-expect-error -- only a denial has it
    expect(decision.retryAfterMs).toBe(undefined)
    // @ts-expect-error -- only an allowed decision has it
    expect(decision.delayMs).toBe(0)
    if (decision.allowed) {
      expectTypeOf(decision).toEqualTypeOf<Allowed<N>>()
      expectTypeOf(decision.delayMs).toBeNumber()
      expectTypeOf(decision.receipt).toEqualTypeOf<Receipt>()
      expectTypeOf(decision).not.toHaveProperty('retryAfterMs')
    } else {
      expectTypeOf(decision).toEqualTypeOf<Denied<N, number>>()
      expectTypeOf(decision).not.toHaveProperty('delayMs')
      expectTypeOf(decision).not.toHaveProperty('receipt')
    }
  })

  test('a cost of 1 fits some day, so its wait is a number', async () => {
    const decision = await limiter.consume('k')
    expectTypeOf(decision).toEqualTypeOf<Decision<N, number>>()
    if (!decision.allowed) expectTypeOf(decision.retryAfterMs).toEqualTypeOf<number>()
  })

  test('a given cost may never fit, so its wait may be null', async () => {
    for (const decision of [
      await limiter.consume('k', 2),
      await limiter.consume('k', { requests: 1, tokens: 2 }),
    ]) {
      expectTypeOf(decision).toEqualTypeOf<Decision<N, number | null>>()
      if (!decision.allowed) expectTypeOf(decision.retryAfterMs).toEqualTypeOf<number | null>()
    }
  })

  test('it is read only', async () => {
    const decision = await limiter.consume('k')
    // @ts-expect-error -- it is what was decided
    decision.remaining = 5
  })
})

describe('reserve', () => {
  test('gives what can be settled only if it is allowed', async () => {
    const reservation = await limiter.reserve('reserved', { requests: 1, tokens: 5 })
    expectTypeOf(reservation).toEqualTypeOf<Reservation<N>>()
    // @ts-expect-error -- it may be a denial
    await reservation.settle({ requests: 1, tokens: 3 })
    if (!reservation.allowed) {
      expectTypeOf(reservation).toEqualTypeOf<Denied<N>>()
      return
    }
    expectTypeOf(reservation).toEqualTypeOf<Reserved<N>>()
    expectTypeOf(reservation).toExtend<Allowed<N>>()
    expectTypeOf(reservation.settle).parameter(0).toEqualTypeOf<Cost<N>>()
  })

  test('needs an estimate, and settle a cost of every policy', async () => {
    // @ts-expect-error -- there is no estimate
    expect(await limiter.reserve('k')).toMatchObject({ allowed: true })
    const reservation = await limiter.reserve('settled', 1)
    if (!reservation.allowed) return
    // @ts-expect-error -- a policy has no cost
    await expect(reservation.settle({ tokens: 0 })).rejects.toThrow('cost.requests')
    const oops = { requests: 0, tokens: 0, oops: 0 } as const
    // @ts-expect-error -- no policy has this name
    await expect(reservation.settle({ ...oops, oops: 0 })).rejects.toThrow('oops')
  })
})

describe('policies of a call and of replace', () => {
  test('may be some of them, but none that the limiter does not have', async () => {
    await limiter.consume('plan', 1, { policies: { tokens: tally(2000) } })
    expectTypeOf(limiter.replace).parameter(0).toEqualTypeOf<{ readonly [P in N]?: Policy }>()
    // @ts-expect-error -- no policy has this name
    await expect(limiter.peek('k', { policies: { oops: tally(1) } })).rejects.toThrow('policies')
    // @ts-expect-error -- no policy has this name
    expect(() => limiter.replace({ oops: tally(1) })).toThrow('policies')
    // @ts-expect-error -- a number is no policy
    expect(() => limiter.replace({ tokens: 5 })).toThrow('policies.tokens')
  })

  test('need a cost before them', async () => {
    // @ts-expect-error -- the cost is left out
    const decision = limiter.consume('k', { policies: { tokens: tally(2000) } })
    await expect(decision).rejects.toThrow('cost')
  })
})

test('acquire gives an allowed decision, and takes any AbortSignal', async () => {
  const { signal } = new AbortController()
  const cost = { requests: 1, tokens: 2 }
  const granted = await limiter.acquire('acquired', { cost, signal, timeoutMs: 100 })
  expectTypeOf(granted).toEqualTypeOf<Allowed<N>>()
  expectTypeOf(signal).toExtend<AbortSignalLike>()
  // @ts-expect-error -- a policy has no cost
  await expect(limiter.acquire('k', { cost: { tokens: 2 } })).rejects.toThrow('cost.requests')
  // @ts-expect-error -- the option is called timeoutMs
  await limiter.acquire('acquired', { timeout: 100 })
})

test('charge tells where the policies stand, and neither allows nor denies', async () => {
  const outcome = await limiter.charge('charged', { requests: 1, tokens: 2 })
  expectTypeOf(outcome).toEqualTypeOf<Outcome<N>>()
  expectTypeOf(outcome).not.toHaveProperty('receipt')
  expectTypeOf(outcome).not.toHaveProperty('retryAfterMs')
  // @ts-expect-error -- there is no cost
  await expect(limiter.charge('k')).rejects.toThrow('cost')
})

test('events carry the names of the policies, and what belongs to their outcome', async () => {
  const events: DecisionEvent<N>[] = []
  const onDecision = (event: DecisionEvent<N>) => void events.push(event)
  const policies = { requests: tally(10), tokens: tally(1000) }
  await createLimiter({ store, policies, onDecision }).consume('told')
  const [event] = events
  if (event?.outcome === 'failed') {
    expectTypeOf(event).not.toHaveProperty('decision')
    expectTypeOf(event.error).toBeUnknown()
  } else if (event) {
    expectTypeOf(event.policy).toEqualTypeOf<N>()
    expectTypeOf(event.decision).toEqualTypeOf<Decision<N>>()
    expectTypeOf(event).not.toHaveProperty('error')
  }
  const anyNames = (event: DecisionEvent<string>) => void events.push(event as DecisionEvent<N>)
  createLimiter({ store, policies, onDecision: anyNames })
  const others = (_: DecisionEvent<'other'>) => {}
  // @ts-expect-error -- it knows other policies
  createLimiter({ store, policies, onDecision: others })
})

test('stores are wrapped in stores', () => {
  const wrapped = denyCache(allowOnFailure(withFallback(withTimeout(store, 50), memoryStore())))
  expectTypeOf(wrapped).toEqualTypeOf<Store>()
  expectTypeOf(denyOnFailure(store, '5s')).toEqualTypeOf<Store>()
  expectTypeOf(shadow(tally(1))).toEqualTypeOf<Policy>()
  // @ts-expect-error -- a shadow is made of a policy
  expect(() => shadow()).not.toThrow()
  // @ts-expect-error -- a duration needs a unit that there is
  expect(() => denyOnFailure(store, '5w')).toThrow('retryAfter')
  // @ts-expect-error -- a timeout is milliseconds
  expect(() => withTimeout(store, '50ms')).toThrow('timeoutMs')
  // @ts-expect-error -- the option is called maxAgeMs
  expect(denyCache(store, { maxAge: 5 })).toBeDefined()
})

describe('refund', () => {
  test('takes only what was allowed', async () => {
    expectTypeOf(limiter.refund).parameter(0).toEqualTypeOf<Allowed<N>>()
    const decision = await limiter.consume('fresh')
    // @ts-expect-error -- it may be a denial
    await limiter.refund(decision)
    if (decision.allowed) await limiter.refund(decision)
    // @ts-expect-error -- it is a denial
    else await limiter.refund(decision)
  })

  test('does not take a look', async () => {
    const look = await limiter.peek('k')
    expectTypeOf(look).toEqualTypeOf<Look<N>>()
    if (look.allowed) {
      expectTypeOf(look).not.toHaveProperty('receipt')
      // @ts-expect-error -- nothing was counted
      await expect(limiter.refund(look)).rejects.toThrow('decision')
    } else expectTypeOf(look.retryAfterMs).toEqualTypeOf<number>()
  })

  test('does not take a decision of other policies', async () => {
    const other = await createLimiter({ store, policies: { other: tally(9) } }).consume('k')
    if (other.allowed) {
      // @ts-expect-error -- it is of the policy "other"
      await expect(limiter.refund(other)).rejects.toThrow('decision')
    }
  })

  test('may leave policies out of its cost, but not invent one', () => {
    expectTypeOf<{ tokens: 5 }>().toExtend<Refund<N>>()
    expectTypeOf<5>().toExtend<Refund<N>>()
    // @ts-expect-error -- no policy has this name
    const oops: Refund<N> = { oops: 5 }
    expect(oops).toBeDefined()
  })
})

test('options are checked by the compiler too', () => {
  // @ts-expect-error -- there is no store
  expect(() => createLimiter({ policies: { p: tally(1) } })).toThrow('store')
  // @ts-expect-error -- a number is no policy
  expect(() => createLimiter({ store, policies: { p: 5 } })).toThrow('policies.p')
  // @ts-expect-error -- the option is called maxKeys
  memoryStore({ maxkeys: 5 })
})

test('a duration is milliseconds or a whole number with a unit', () => {
  expectTypeOf<'250ms' | '10s' | '5m' | '1h' | '1d' | 5>().toExtend<Duration>()
  expectTypeOf<'10'>().not.toExtend<Duration>()
  expectTypeOf<'10 s'>().not.toExtend<Duration>()
  expectTypeOf<'1.5s'>().not.toExtend<Duration>()
  expectTypeOf<'1w'>().not.toExtend<Duration>()
})

test('the codes of the error are known', () => {
  expectTypeOf<SpillwayError['code']>().toEqualTypeOf<
    | 'INVALID_ARGUMENT'
    | 'CONTRACT_MISMATCH'
    | 'STORE_UNAVAILABLE'
    | 'STORE_INDETERMINATE'
    | 'TIMED_OUT'
    | 'NEVER_FITS'
  >()
})
