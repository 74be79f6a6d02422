import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Allowed,
  createLimiter,
  type Limiter,
  memoryStore,
  type Policy,
  shadow,
} from '../src/index.js'
import { spyStore } from './spy-store.js'
import { tally } from './tally.js'

let now: number
beforeEach(() => {
  now = 1_800_000_000_000_000
})

function limiterOf<const P extends Readonly<Record<string, Policy>>>(policies: P) {
  return createLimiter({ store: memoryStore({ clock: () => now }), policies })
}

describe('policies of a single call', () => {
  const free = tally(2)
  const paid = tally(10)

  test('take the place of those of the same names, and share their counts', async () => {
    const limiter = limiterOf({ api: free, all: tally(100) })
    for (let i = 0; i < 2; i++) await limiter.consume('k')
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, policy: 'api', limit: 2 })
    const paying = await limiter.consume('k', 1, { policies: { api: paid } })
    expect(paying).toMatchObject({ allowed: true, policy: 'api', limit: 10, remaining: 7 })
    expect(paying.policies.all.remaining).toBe(97)
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, limit: 2 })
  })

  test('are taken by peek, reserve, charge, acquire and reset as well', async () => {
    const call = { policies: { api: paid } }
    const limiter = limiterOf({ api: free })
    expect(await limiter.peek('k', call)).toMatchObject({ limit: 10, remaining: 10 })
    const reserved = await limiter.reserve('k', 6, call)
    expect(reserved).toMatchObject({ allowed: true, remaining: 4 })
    if (reserved.allowed) await reserved.settle(3)
    expect(await limiter.charge('k', 2, call)).toMatchObject({ remaining: 5 })
    expect(await limiter.acquire('k', { cost: 5, ...call })).toMatchObject({ remaining: 0 })
    await limiter.reset('k', call)
    expect(await limiter.peek('k')).toMatchObject({ remaining: 2 })
  })

  test('are remembered by the decision: a refund goes by them', async () => {
    const store = spyStore()
    const limiter = createLimiter({ store, policies: { api: free } })
    const decision = await limiter.consume('k', 5, { policies: { api: paid } })
    await limiter.refund(decision as Allowed<'api'>)
    expect(store.requests[1]).toMatchObject({ mode: 'giveBack', targets: [{ policy: paid }] })
  })

  test('are decided by their own capacity before anything is sent', async () => {
    const limiter = limiterOf({ api: free })
    expect(await limiter.consume('k', 5)).toMatchObject({ allowed: false, retryAfterMs: null })
    expect(await limiter.consume('k', 5, { policies: { api: paid } })).toMatchObject({
      allowed: true,
    })
  })

  test('of another algorithm count apart', async () => {
    const other = { ...tally(2), algorithm: { ...tally(2).algorithm, name: 'other' } }
    const limiter = limiterOf({ api: free })
    await limiter.consume('k', 2)
    expect(await limiter.consume('k', 1, { policies: { api: other } })).toMatchObject({
      allowed: true,
      remaining: 1,
    })
  })

  test.each([
    [null, 'policies must be an object of policies by name, got null'],
    [{ oops: paid }, 'policies must name policies of the limiter (api), got "oops"'],
    [{ api: 5 }, 'policies.api must be a policy, such as slidingWindow({ … }), got 5'],
    [{ api: null }, 'policies.api must be a policy, such as slidingWindow({ … }), got null'],
  ])('may not be %j', async (policies, message) => {
    const limiter = limiterOf({ api: free })
    const misuse = { code: 'INVALID_ARGUMENT', message }
    const call = { policies } as never
    await expect(limiter.consume('k', 1, call)).rejects.toMatchObject(misuse)
    await expect(limiter.peek('k', call)).rejects.toMatchObject(misuse)
    await expect(limiter.acquire('k', call)).rejects.toMatchObject(misuse)
    expect(() => limiter.replace(policies as never)).toThrow(message)
  })
})

describe('replace', () => {
  test('puts policies in the place of others from the next call on, with the counts as they are', async () => {
    const limiter = limiterOf({ api: tally(5), other: tally(50) })
    await limiter.consume('k', 4)
    limiter.replace({ api: tally(3) })
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, policy: 'api', limit: 3 })
    limiter.replace({ api: tally(8) })
    const decision = await limiter.consume('k')
    expect(decision).toMatchObject({ allowed: true, limit: 8, remaining: 3 })
    expect(decision.policies.other.remaining).toBe(45)
  })

  test('changes nothing when one of them is no policy', async () => {
    const limiter = limiterOf({ a: tally(5), b: tally(5) })
    expect(() => limiter.replace({ a: tally(9), b: 5 } as never)).toThrow('policies.b')
    expect((await limiter.peek('k')).policies.a.limit).toBe(5)
  })
})

describe('a shadow', () => {
  test('is decided, counted while it allows, reported, and never enforced', async () => {
    const limiter = limiterOf({ real: tally(10), tried: shadow(tally(2)) })
    const seen = []
    for (let i = 0; i < 4; i++) seen.push(await limiter.consume('k'))
    expect(seen.map(({ allowed }) => allowed)).toEqual([true, true, true, true])
    expect(seen.map(({ policies }) => policies.tried.allowed)).toEqual([true, true, false, false])
    expect(seen.map(({ policies }) => policies.tried.remaining)).toEqual([1, 0, 0, 0])
    expect(seen.map(({ policy, remaining }) => [policy, remaining])).toEqual([
      ['real', 9],
      ['real', 8],
      ['real', 7],
      ['real', 6],
    ])
  })

  test('counts nothing of what a real policy denies', async () => {
    const limiter = limiterOf({ real: tally(1), tried: shadow(tally(5)) })
    await limiter.consume('k')
    const denied = await limiter.consume('k')
    expect(denied).toMatchObject({ allowed: false, policy: 'real' })
    expect(denied.policies.tried).toMatchObject({ allowed: true, remaining: 4 })
  })

  test('takes no part in the wait or the delay', async () => {
    const slow = tally(1, { windowMs: 60_000, delayUs: 5_000_000 })
    const limiter = limiterOf({ real: tally(1), tried: shadow(slow) })
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, delayMs: 0 })
    expect(await limiter.consume('k')).toMatchObject({ policy: 'real', retryAfterMs: 1000 })
  })

  test.each([
    ['its capacity', shadow(tally(2))],
    ['what it takes at once', shadow(tally(50, { maxCost: { value: 2, advice: 'another' } }))],
  ])('whose cost is above %s denies nothing, and says that it would', async (_, tried) => {
    const limiter = limiterOf({ real: tally(10), tried })
    const decision = await limiter.consume('k', 3)
    expect(decision).toMatchObject({ allowed: true, policy: 'real', remaining: 7, source: 'store' })
    expect(decision.policies.tried.allowed).toBe(false)
    await limiter.refund(decision as Allowed<'real' | 'tried'>)
    expect((await limiter.peek('k')).policies.real.remaining).toBe(10)
    expect((await limiter.charge('k', 3)).policies.real.remaining).toBe(7)
  })

  test('may be the only policy there is', async () => {
    const limiter = limiterOf({ tried: shadow(tally(2)) })
    for (let i = 0; i < 4; i++) {
      expect(await limiter.consume('k')).toMatchObject({ allowed: true, policy: 'tried' })
    }
    expect(await limiter.consume('k', 3)).toMatchObject({ allowed: true, source: 'assumed' })
    expect(await limiter.acquire('k', { cost: 3 })).toMatchObject({ allowed: true })
  })

  test('that never fits is reported beside a real one that never fits', async () => {
    const limiter = limiterOf({ tried: shadow(tally(2)), real: tally(4), roomy: tally(9) })
    const never = await limiter.consume('k', 5)
    expect(never).toMatchObject({ allowed: false, retryAfterMs: null, policy: 'real' })
    const own = Object.values(never.policies).map(({ allowed }) => allowed)
    expect(own).toEqual([false, false, true])
  })

  test('becomes real by being replaced, with its counts', async () => {
    const limiter = limiterOf({ api: shadow(tally(2)) })
    for (let i = 0; i < 3; i++) await limiter.consume('k')
    limiter.replace({ api: tally(2) })
    expect(await limiter.consume('k')).toMatchObject({ allowed: false })
  })

  test('leaves the policy it was made of as it was', () => {
    const policy = tally(2)
    expect(shadow(policy)).toEqual({ ...policy, shadow: true })
    expect(policy).not.toHaveProperty('shadow')
  })

  test('that counted nothing takes part in a refund of a given cost, of which it has nothing', async () => {
    const limiter = limiterOf({ real: tally(10), tried: shadow(tally(2)) })
    await limiter.consume('k', 2)
    const decision = (await limiter.consume('k', 2)) as Allowed<'real' | 'tried'>
    expect(decision.policies.tried.allowed).toBe(false)
    await limiter.refund(decision, 2)
    expect((await limiter.peek('k')).policies).toMatchObject({
      real: { remaining: 8 },
      tried: { remaining: 0 },
    })
    await expect(limiter.refund(decision, 1)).rejects.toThrow('at most the 0 not yet given back')
  })
})

describe('values by the names of policies', () => {
  const limiter = limiterOf({ constructor: tally(5), toString: tally(5) })
  const one = { constructor: 1, toString: 1 }

  test('are found under names that every object inherits', async () => {
    const any: Limiter<string> = limiter // to TypeScript every object has a constructor
    const decision = await any.consume({ constructor: 'a', toString: 'b' }, one)
    await any.refund(decision as Allowed<string>, { toString: 1 })
    any.replace({ toString: tally(7) })
    const { policies } = await any.peek({ constructor: 'a', toString: 'b' })
    expect(policies).toMatchObject({ constructor: { remaining: 4 }, toString: { remaining: 7 } })
  })

  test.each<[string, (limiter: Limiter<string>) => Promise<unknown>]>([
    ['key', (of) => of.consume({ constructor: 'a', toString: 'b', oops: 'c' })],
    ['key', (of) => of.reset({ constructor: 'a', toString: 'b', oops: 'c' })],
    ['cost', (of) => of.consume('k', { ...one, oops: 1 })],
    ['cost', (of) => of.charge('k', { ...one, oops: 1 })],
    ['cost', (of) => of.acquire('k', { cost: { ...one, oops: 1 } })],
    ['cost', async (of) => of.refund((await of.consume('k')) as Allowed<string>, { oops: 1 })],
    ['policies', (of) => of.consume('k', 1, { policies: { oops: tally(1) } })],
  ])('are refused under names that no policy has: %s', async (option, call) => {
    await expect(call(limiter)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: `${option} must name policies of the limiter (constructor, toString), got "oops"`,
    })
  })
})
