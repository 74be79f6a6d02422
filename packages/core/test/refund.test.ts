import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Allowed,
  createLimiter,
  type Decision,
  type ErrorCode,
  type Limiter,
  memoryStore,
  type Policy,
  type Reserved,
  SpillwayError,
  type Store,
} from '../src/index.js'
import { ruling, spyStore } from './spy-store.js'
import { tally } from './tally.js'

const start = 1_800_000_000_000_000
let now: number
let limiter: Limiter<'p'>

beforeEach(() => {
  now = start
  limiter = one(memoryStore({ clock: () => now }))
})

function one(store: Store, policy: Policy = tally(10)): Limiter<'p'> {
  return createLimiter({ store, policies: { p: policy } })
}

async function allowed<N extends string>(decision: Promise<Decision<N>>): Promise<Allowed<N>> {
  const known = await decision
  if (!known.allowed) throw new Error('the test needs an allowed decision')
  return known
}

async function left(of: Limiter<'p'> = limiter): Promise<number> {
  return (await of.peek('k')).remaining
}

describe('a refund', () => {
  test('gives the whole cost back by default', async () => {
    await limiter.consume('k', 3)
    const decision = await allowed(limiter.consume('k', 5))
    await limiter.refund(decision)
    expect(await left()).toBe(7)
  })

  test('gives back at most once, however often it is asked', async () => {
    const decision = await allowed(limiter.consume('k', 3))
    await limiter.consume('k', 5)
    for (let i = 0; i < 3; i++) await limiter.refund(decision)
    expect(await left()).toBe(5)
  })

  test('may come in parts, and by default gives back what is left', async () => {
    const decision = await allowed(limiter.consume('k', 8))
    await limiter.refund(decision, 1)
    expect(await left()).toBe(3)
    await limiter.refund(decision, 2)
    expect(await left()).toBe(5)
    await limiter.refund(decision)
    expect(await left()).toBe(10)
  })

  test('of more than is left is misuse, and gives nothing back', async () => {
    const decision = await allowed(limiter.consume('k', 8))
    await limiter.refund(decision, 5)
    await expect(limiter.refund(decision, 4)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'cost must be at most the 3 not yet given back, got 4',
    })
    expect(await left()).toBe(7)
    await limiter.refund(decision, 3)
    expect(await left()).toBe(10)
    await expect(limiter.refund(decision, 1)).rejects.toThrow('at most the 0 not yet given back')
  })

  test.each([0, -1, 0.5, Number.NaN, '1', null])('of %o is misuse', async (cost) => {
    const decision = await allowed(limiter.consume('k', 8))
    await expect(limiter.refund(decision, cost as number)).rejects.toThrow(
      `cost must be a positive integer, got ${JSON.stringify(cost)?.replace(/^null$/, String(cost))}`,
    )
    expect(await left()).toBe(2)
  })

  test('given at once in parts gives back each part, and never more than all', async () => {
    const decision = await allowed(limiter.consume('k', 10))
    const parts = [1, 2, 3, 4, 5].map((cost) => limiter.refund(decision, cost))
    const results = await Promise.allSettled(parts)
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect(await left()).toBe(10)
  })

  test('given at once in full gives back once', async () => {
    const decision = await allowed(limiter.consume('k', 4))
    await limiter.consume('k', 6)
    await Promise.all([1, 2, 3].map(() => limiter.refund(decision)))
    expect(await left()).toBe(4)
  })

  test('of what has stopped counting gives nothing back', async () => {
    const decision = await allowed(limiter.consume('k', 4))
    now += 1_000_000
    await limiter.consume('k', 6)
    await limiter.refund(decision)
    expect(await left()).toBe(4)
  })

  test('after a reset gives nothing back to whoever came then', async () => {
    const decision = await allowed(limiter.consume('k', 4))
    await limiter.reset('k')
    now += 1
    await limiter.consume('k', 6)
    await limiter.refund(decision)
    expect(await left()).toBe(4)
  })

  test('of a decision that is not one of this limiter is misuse', async () => {
    const other = one(memoryStore())
    const foreign = await allowed(other.consume('k'))
    const denied = await other.consume('k', 10)
    const looked = await limiter.peek('k')
    const own = await allowed(limiter.consume('k'))
    const copy: unknown = JSON.parse(JSON.stringify(own))
    for (const bad of [foreign, denied, looked, copy, {}, null, undefined, 'decision']) {
      await expect(limiter.refund(bad as Allowed<'p'>)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^decision must be one that this limiter allowed, got /),
      })
    }
    expect(await left()).toBe(9)
  })

  test('of a copy that kept its receipt is that of the original: both give back once', async () => {
    const decision = await allowed(limiter.consume('k', 4))
    await limiter.refund({ ...decision }, 3)
    await expect(limiter.refund(decision, 2)).rejects.toThrow('at most the 1 not yet given back')
  })
})

describe('with several policies', () => {
  const policies = { requests: tally(10), tokens: tally(1000) }

  async function both() {
    const limiter = createLimiter({ store: memoryStore({ clock: () => now }), policies })
    const decision = await allowed(limiter.consume('k', { requests: 1, tokens: 500 }))
    const rest = async () => {
      const { requests, tokens } = (await limiter.peek('k')).policies
      return [requests.remaining, tokens.remaining]
    }
    return { limiter, decision, rest }
  }

  test('each gets back its own cost', async () => {
    const { limiter, decision, rest } = await both()
    await limiter.refund(decision)
    expect(await rest()).toEqual([10, 1000])
  })

  test('the tokens not used can be given back, and the request stays counted', async () => {
    const { limiter, decision, rest } = await both()
    await limiter.refund(decision, { tokens: 200 })
    expect(await rest()).toEqual([9, 700])
    await limiter.refund(decision, { tokens: 100 })
    expect(await rest()).toEqual([9, 800])
    await limiter.refund(decision)
    expect(await rest()).toEqual([10, 1000])
  })

  test('what is too much for one is given back to none', async () => {
    const { limiter, decision, rest } = await both()
    await expect(limiter.refund(decision, { requests: 1, tokens: 501 })).rejects.toThrow(
      'cost.tokens must be at most the 500 not yet given back, got 501',
    )
    await expect(limiter.refund(decision, 2)).rejects.toThrow(
      'cost must be at most the 1 not yet given back, got 2',
    )
    await expect(limiter.refund(decision, { tokens: 0 })).rejects.toThrow(
      'cost.tokens must be a positive integer, got 0',
    )
    expect(await rest()).toEqual([9, 500])
  })
})

test('refunds of one decision go one after another, each by the receipt of the one before', async () => {
  const pending: ((receipt: number) => void)[] = []
  const store = spyStore(async ({ mode }) => {
    if (mode === 'consume') return ruling({ receipt: 1 })
    return ruling({ receipt: await new Promise<number>((resolve) => pending.push(resolve)) })
  })
  const limiter = one(store)
  const decision = await allowed(limiter.consume('k', 5))
  const refunds = [1, 2, 2].map((cost) => limiter.refund(decision, cost))
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  for (const receipt of [20, 30, 40]) {
    await turn()
    expect(pending).toHaveLength(1)
    pending.shift()?.(receipt)
  }
  await Promise.all(refunds)
  const sent = store.requests.slice(1).map(({ targets: [target] }) => target)
  expect(sent.map((target) => [target?.cost, target?.receipt])).toEqual([
    [1, 1],
    [2, 20],
    [2, 30],
  ])
})

test('what a policy let through without counting it is not given back', async () => {
  const store = spyStore(() => ({
    ...ruling({ receipt: 7 }, { allowed: false, wait: 5 }),
    allowed: true,
  }))
  const limiter = createLimiter({ store, policies: { counted: tally(10), not: tally(10) } })
  await limiter.refund(await allowed(limiter.consume('k', 3)))
  expect(store.requests[1]).toMatchObject({
    mode: 'giveBack',
    targets: [{ key: 'spillway:counted:tally:{k}', cost: 3, receipt: 7 }],
  })
  expect(store.requests[1]?.targets).toHaveLength(1)
})

describe('when the store fails a refund', () => {
  /** A store that fails the next requests by these codes, before it counts anything. */
  function failing(codes: ErrorCode[]): Store {
    const store = memoryStore({ clock: () => now })
    return {
      ...store,
      async decide(request) {
        const code = request.mode === 'giveBack' ? codes.shift() : undefined
        if (code !== undefined) throw new SpillwayError(code, 'on purpose', { cause: codes })
        return store.decide(request)
      },
    }
  }

  test('STORE_UNAVAILABLE leaves everything to be given back later', async () => {
    const broken = one(failing(['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE']))
    const decision = await allowed(broken.consume('k', 8))
    await expect(broken.refund(decision)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await expect(broken.refund(decision, 3)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await broken.refund(decision, 3)
    expect(await left(broken)).toBe(5)
    await broken.refund(decision)
    expect(await left(broken)).toBe(10)
  })

  test('STORE_UNAVAILABLE is known by its code, whichever copy of core the store brought', async () => {
    const store = memoryStore({ clock: () => now })
    const foreign = Object.assign(new Error('on purpose'), { code: 'STORE_UNAVAILABLE' })
    let fails = true
    const broken = one({
      ...store,
      decide: async (request) => {
        if (request.mode === 'giveBack' && fails) throw foreign
        return store.decide(request)
      },
    })
    const decision = await allowed(broken.consume('k', 8))
    await expect(broken.refund(decision)).rejects.toBe(foreign)
    fails = false
    await broken.refund(decision)
    expect(await left(broken)).toBe(10)
  })

  test('STORE_INDETERMINATE is never given back again, since it may have been', async () => {
    const broken = one(failing(['STORE_INDETERMINATE']))
    const decision = await allowed(broken.consume('k', 8))
    await expect(broken.refund(decision, 5)).rejects.toMatchObject({ code: 'STORE_INDETERMINATE' })
    await expect(broken.refund(decision, 4)).rejects.toThrow('at most the 3 not yet given back')
    await broken.refund(decision)
    expect(await left(broken)).toBe(5)
  })

  test('one that failed does not fail the ones waiting behind it', async () => {
    const broken = one(failing(['STORE_UNAVAILABLE']))
    const decision = await allowed(broken.consume('k', 8))
    const results = await Promise.allSettled([
      broken.refund(decision, 3),
      broken.refund(decision, 2),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(await left(broken)).toBe(4)
  })
})

describe('a policy that was replaced since', () => {
  const [short, long] = [tally(5), tally(7)]

  test.each<[string, (reserved: Reserved<'p'>, limiter: Limiter<'p'>) => Promise<void>]>([
    ['refund', (reserved, limiter) => limiter.refund(reserved)],
    ['settling for less', (reserved) => reserved.settle(1)],
    ['settling for more', (reserved) => reserved.settle(3)],
  ])('is not that of a %s: counts are the new one’s by now', async (_, giveBack) => {
    const store = spyStore()
    const limiter = createLimiter({ store, policies: { p: short } })
    const reserved = (await limiter.reserve('k', 2)) as Reserved<'p'>
    limiter.replace({ p: long })
    await giveBack(reserved, limiter)
    expect(store.requests.at(-1)!.targets[0]!.policy).toBe(long)
  })

  test('stays where another algorithm counts now, and where the call brought its own', async () => {
    const store = spyStore()
    const limiter = createLimiter({ store, policies: { p: short } })
    const other = { ...long, algorithm: { ...long.algorithm, name: 'other' } }
    const decision = await limiter.consume('k')
    limiter.replace({ p: other })
    await limiter.refund(decision as Allowed<'p'>)
    expect(store.requests.at(-1)!.targets[0]!.policy).toBe(short)
    limiter.replace({ p: short })
    const own = await limiter.consume('k', 1, { policies: { p: long } })
    await limiter.refund(own as Allowed<'p'>)
    expect(store.requests.at(-1)!.targets[0]!.policy).toBe(long)
  })
})
