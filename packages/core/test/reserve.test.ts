import { beforeEach, describe, expect, test } from 'vitest'
import {
  allowOnFailure,
  type Cost,
  createLimiter,
  type ErrorCode,
  type Mode,
  memoryStore,
  type Policy,
  type Request,
  type Reserved,
  SpillwayError,
  type Store,
  shadow,
} from '../src/index.js'
import { ruling, spyStore } from './spy-store.js'
import { tally } from './tally.js'

let now: number
let fails: [mode: Mode, code: ErrorCode][]
let sent: Request[]

beforeEach(() => {
  now = 1_800_000_000_000_000
  fails = []
  sent = []
})

/** A memory store that fails on request, before it counts anything. */
function failing(): Store {
  const store = memoryStore({ clock: () => now })
  return {
    ...store,
    async decide(request) {
      const next = fails[0]
      if (next !== undefined && next[0] === request.mode) {
        fails.shift()
        throw new SpillwayError(next[1], 'on purpose', { cause: fails })
      }
      sent.push(request)
      return store.decide(request)
    },
  }
}

function limiterOf<const P extends Readonly<Record<string, Policy>>>(
  policies: P,
  store: Store = failing(),
) {
  const limiter = createLimiter({ store, policies })
  type N = keyof P & string
  return {
    limiter,
    async reserve(estimate: Cost<N>): Promise<Reserved<N>> {
      const reservation = await limiter.reserve('k', estimate)
      if (!reservation.allowed) throw new Error('the test needs an allowed reservation')
      return reservation
    },
    async left(): Promise<number[]> {
      const { policies } = await limiter.peek('k')
      return Object.values<{ remaining: number }>(policies).map(({ remaining }) => remaining)
    },
  }
}

describe('a reservation', () => {
  test('consumes its estimate, and stays charged when it is never settled', async () => {
    const { reserve, left } = limiterOf({ p: tally(10) })
    expect(await reserve(4)).toMatchObject({ allowed: true, remaining: 6, source: 'store' })
    expect(await left()).toEqual([6])
  })

  test('that is denied is a plain denial, with nothing to settle', async () => {
    const { limiter, reserve } = limiterOf({ p: tally(10) })
    await reserve(8)
    const denied = await limiter.reserve('k', 3)
    expect(denied).toMatchObject({ allowed: false, retryAfterMs: 1000 })
    expect(denied).not.toHaveProperty('settle')
    expect(denied).not.toHaveProperty('cancel')
  })

  test('above the capacity never fits', async () => {
    const { limiter } = limiterOf({ p: tally(10) })
    expect(await limiter.reserve('k', 11)).toMatchObject({ allowed: false, retryAfterMs: null })
  })
})

describe('settle', () => {
  test.each([
    ['less gives the rest back', 2, 8],
    ['nothing gives all back', 0, 10],
    ['the same changes nothing', 6, 4],
    ['more charges the excess', 9, 1],
    ['more than the capacity leaves a debt, and nothing below 0', 14, 0],
  ])('%s', async (_, actual, rest) => {
    const { reserve, left } = limiterOf({ p: tally(10) })
    const reservation = await reserve(6)
    await reservation.settle(actual)
    expect(await left()).toEqual([rest])
    expect(sent.filter(({ mode }) => mode === 'charge' || mode === 'giveBack')).toHaveLength(
      actual === 6 ? 0 : 1,
    )
  })

  test('charges no more than can matter, however large the actual cost', async () => {
    const { reserve } = limiterOf({ p: tally(10) })
    await (await reserve(1)).settle(Number.MAX_SAFE_INTEGER)
    expect(sent.at(-1)).toMatchObject({ mode: 'charge', targets: [{ cost: 20 }] })
  })

  test('takes a cost for each policy, of which some may be 0', async () => {
    const { reserve, left } = limiterOf({ requests: tally(5), tokens: tally(100), jobs: tally(7) })
    const reservation = await reserve({ requests: 1, tokens: 50, jobs: 3 })
    await reservation.settle({ requests: 0, tokens: 80, jobs: 2 })
    expect(await left()).toEqual([5, 20, 5])
    expect(sent.slice(1, 3).map(({ mode, targets }) => [mode, targets.length])).toEqual([
      ['charge', 1],
      ['giveBack', 2],
    ])
  })

  test('cancel gives all back', async () => {
    const { reserve, left } = limiterOf({ requests: tally(5), tokens: tally(100) })
    await (await reserve({ requests: 1, tokens: 50 })).cancel()
    expect(await left()).toEqual([5, 100])
  })

  test('or cancel a second time is an error, also while the first is under way', async () => {
    const { reserve, left } = limiterOf({ p: tally(10) })
    const once = {
      code: 'INVALID_ARGUMENT',
      message: 'settle and cancel end a reservation only once',
    }
    const reservation = await reserve(6)
    const first = reservation.settle(2)
    await expect(reservation.cancel()).rejects.toMatchObject(once)
    await first
    await expect(reservation.settle(2)).rejects.toMatchObject(once)
    await expect(reservation.cancel()).rejects.toMatchObject(once)
    expect(await left()).toEqual([8])
  })

  test.each([
    [-1, 'cost must be an integer of at least 0, got -1'],
    [0.5, 'cost must be an integer of at least 0, got 0.5'],
    [undefined, 'cost must be an integer of at least 0, got undefined'],
    [{ p: '3' }, 'cost.p must be an integer of at least 0, got "3"'],
    [{}, 'cost.p must be an integer of at least 0, got undefined'],
  ])('of %j is misuse, after which it can still be settled', async (bad, message) => {
    const { reserve, left } = limiterOf({ p: tally(10) })
    const reservation = await reserve(6)
    const misuse = { code: 'INVALID_ARGUMENT', message }
    await expect(reservation.settle(bad as never)).rejects.toMatchObject(misuse)
    expect(sent).toHaveLength(1)
    await reservation.settle(1)
    expect(await left()).toEqual([9])
  })

  test('counts what was refunded before', async () => {
    const { limiter, reserve, left } = limiterOf({ p: tally(10) })
    const reservation = await reserve(6)
    await limiter.refund(reservation, 4)
    expect(await left()).toEqual([8])
    await reservation.settle(5)
    expect(await left()).toEqual([5])
  })

  test('leaves what was settled refundable', async () => {
    const { limiter, reserve, left } = limiterOf({ p: tally(10) })
    const reservation = await reserve(6)
    await reservation.settle(5)
    await limiter.refund(reservation)
    expect(await left()).toEqual([10])
  })

  test('of a cost stored unit by unit charges in parts that the policy takes, up to a debt of one capacity', async () => {
    const policy = tally(10, { maxCost: { value: 4, advice: 'take another' } })
    const { reserve, left } = limiterOf({ p: policy, other: tally(50) })
    await (await reserve(3)).settle({ p: 1000, other: 13 })
    const charges = sent.filter(({ mode }) => mode === 'charge')
    expect(charges.map(({ targets }) => targets.map(({ cost }) => cost))).toEqual([
      [4, 10],
      [4],
      [4],
      [4],
      [4],
    ])
    expect(await left()).toEqual([0, 37])
  })
})

describe('when the store fails, settle', () => {
  test('may be asked again after STORE_UNAVAILABLE, and charges nothing twice', async () => {
    const { reserve, left } = limiterOf({ up: tally(20), down: tally(20) })
    const reservation = await reserve(6)
    fails = [
      ['charge', 'STORE_UNAVAILABLE'],
      ['giveBack', 'STORE_UNAVAILABLE'],
    ]
    const actual = { up: 10, down: 1 }
    for (let i = 0; i < 2; i++) {
      const failed = { code: 'STORE_UNAVAILABLE' }
      await expect(reservation.settle(actual)).rejects.toMatchObject(failed)
    }
    await reservation.settle(actual)
    expect(await left()).toEqual([10, 19])
    expect(sent.filter(({ mode }) => mode === 'charge')).toHaveLength(1)
  })

  test('may be asked again for less than was charged by then', async () => {
    const { reserve, left } = limiterOf({ up: tally(20), down: tally(20) })
    const reservation = await reserve(6)
    fails = [['giveBack', 'STORE_UNAVAILABLE']]
    await expect(reservation.settle({ up: 10, down: 1 })).rejects.toThrow('on purpose')
    await reservation.settle({ up: 7, down: 1 })
    expect(await left()).toEqual([13, 19])
  })

  test.each([
    ['charge', 10],
    ['giveBack', 1],
  ] as const)('is over after STORE_INDETERMINATE of a %s', async (mode, actual) => {
    const { reserve, left } = limiterOf({ p: tally(20) })
    const reservation = await reserve(6)
    fails = [[mode, 'STORE_INDETERMINATE']]
    const lost = { code: 'STORE_INDETERMINATE' }
    await expect(reservation.settle(actual)).rejects.toMatchObject(lost)
    await expect(reservation.settle(actual)).rejects.toThrow('only once')
    expect(await left()).toEqual([14])
  })

  test('charges what was only assumed, as soon as the store is back', async () => {
    const { reserve, left } = limiterOf({ p: tally(20) }, allowOnFailure(failing()))
    fails = [['consume', 'STORE_UNAVAILABLE']]
    const reservation = await reserve(6)
    expect(reservation.source).toBe('assumed')
    expect(await left()).toEqual([20])
    await reservation.settle(4)
    expect(await left()).toEqual([16])
  })

  test('has nothing to do when an assumed reservation is cancelled', async () => {
    const { reserve } = limiterOf({ p: tally(20) }, allowOnFailure(failing()))
    fails = [['consume', 'STORE_UNAVAILABLE']]
    await (await reserve(6)).cancel()
    expect(sent).toEqual([])
  })
})

test('settle leaves alone what a shadow did not count', async () => {
  const { reserve, left } = limiterOf({ real: tally(20), shadow: shadow(tally(5)) })
  expect((await reserve(6)).policies.shadow.allowed).toBe(false)
  const counted = await reserve(4)
  expect(counted.policies.shadow.allowed).toBe(true)
  await (await reserve(6)).settle(9)
  await counted.settle(2)
  expect(await left()).toEqual([3, 3])
})

describe('charge', () => {
  test('counts whatever the policies say, and later requests wait for the debt', async () => {
    const { limiter, left } = limiterOf({ p: tally(10) })
    expect(await limiter.charge('k', 4)).toMatchObject({ policy: 'p', remaining: 6 })
    expect(await limiter.charge('k', 9)).toMatchObject({ remaining: 0, limit: 10 })
    expect(await left()).toEqual([0])
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, retryAfterMs: 1000 })
  })

  test('sends no more than can matter, and takes a cost for each policy', async () => {
    const store = spyStore()
    const { limiter } = limiterOf({ a: tally(10), b: tally(3) }, store)
    await limiter.charge('k', { a: 5, b: Number.MAX_SAFE_INTEGER })
    expect(store.requests).toMatchObject([{ mode: 'charge', targets: [{ cost: 5 }, { cost: 6 }] }])
  })

  test('takes policies and keys as consume does', async () => {
    const store = spyStore()
    const { limiter } = limiterOf({ a: tally(10), b: tally(3) }, store)
    const plan = tally(40)
    await limiter.charge({ a: 'x', b: 'y' }, 25, { policies: { b: plan } })
    expect(store.requests[0]).toMatchObject({
      targets: [
        { key: 'spillway:a:tally:{x}', cost: 20 },
        { key: 'spillway:b:tally:{y}', cost: 25, policy: plan },
      ],
    })
  })

  test('is no way around misuse', async () => {
    const { limiter } = limiterOf(
      { p: tally(10) },
      spyStore(() => ruling({})),
    )
    await expect(limiter.charge('k', 0)).rejects.toThrow('cost must be a positive integer, got 0')
  })
})
