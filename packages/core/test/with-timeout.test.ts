import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  allowOnFailure,
  type Caller,
  createLimiter,
  denyCache,
  denyOnFailure,
  memoryStore,
  type Request,
  type Ruling,
  SpillwayError,
  type Store,
  withFallback,
  withTimeout,
} from '../src/index.js'
import { ruling, spyStore } from './spy-store.js'
import { tally } from './tally.js'

/** A store that answers when the test says so. */
function hanging() {
  const pending: {
    readonly request: Request
    readonly caller: Caller | undefined
    answer(ruling: Ruling): void
    fail(error: unknown): void
  }[] = []
  const store: Store = {
    decide: (request, caller) =>
      new Promise((answer, fail) => pending.push({ request, caller, answer, fail })),
    forget: () => new Promise(() => {}),
  }
  return { store, pending }
}

const policy = tally(5)
const consume: Request = { mode: 'consume', targets: [{ policy, key: 'k', cost: 2 }] }
const lost = { code: 'STORE_INDETERMINATE', cause: expect.any(Error) }
const down = { code: 'STORE_UNAVAILABLE', cause: expect.any(Error) }
const turn = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.useRealTimers()
})

/** Asks so that whatever comes of it is a promise. */
async function ask(store: Store): Promise<Ruling> {
  return store.decide(consume)
}

/** A store that is known to be down. */
async function knownDown() {
  const slow = hanging()
  const store = withTimeout(slow.store, 50)
  const first = ask(store).catch(() => {})
  await vi.advanceTimersByTimeAsync(50)
  await first
  slow.pending.length = 0
  return { ...slow, store }
}

describe('withTimeout', () => {
  test('hands on what is answered in time, and leaves no timer', async () => {
    const answer = ruling({ remaining: 3, receipt: 9 })
    const inner = spyStore(() => answer)
    const store = withTimeout(inner, 50)
    expect(await store.decide(consume)).toBe(answer)
    await store.forget(['k'])
    expect(inner.forgotten).toEqual(['k'])
  })

  test('hands on failures as they are, and does not take the store for down', async () => {
    const failure = new SpillwayError('STORE_UNAVAILABLE', 'down', { cause: new Error('why') })
    const inner = spyStore(() => Promise.reject(failure))
    const store = withTimeout(inner, 50)
    const answers = await Promise.allSettled([store.decide(consume), store.decide(consume)])
    expect(answers.map((answer) => 'reason' in answer && answer.reason)).toEqual([failure, failure])
    expect(inner.calls).toBe(2)
  })

  test('a store that throws instead of rejecting fails that one request', async () => {
    const broken: Store = {
      decide() {
        throw new TypeError('a mistake in somebody’s store')
      },
      async forget() {},
    }
    await expect(withTimeout(broken, 50).decide(consume)).rejects.toThrow('a mistake')
  })

  test.each(['decide', 'forget'] as const)(
    'answers %s at the time, as indeterminate',
    async (how) => {
      const { store } = hanging()
      const timed = withTimeout(store, 50)
      const answer = how === 'decide' ? ask(timed) : timed.forget(['k'])
      const rejected = expect(answer).rejects.toMatchObject(lost)
      let isTold = false
      answer.catch(() => {
        isTold = true
      })
      await vi.advanceTimersByTimeAsync(49)
      expect(isTold).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      await rejected
    },
  )

  test('tells the store that the caller has gone, so that what is still queued is not sent', async () => {
    const { store, pending } = hanging()
    const outer = { gone: false }
    const answer = withTimeout(store, 50).decide(consume, outer)
    expect(pending[0]?.caller?.gone).toBe(false)
    outer.gone = true
    expect(pending[0]?.caller?.gone).toBe(true)
    outer.gone = false
    const rejected = expect(answer).rejects.toMatchObject(lost)
    await vi.advanceTimersByTimeAsync(50)
    await rejected
    expect(pending[0]?.caller?.gone).toBe(true)
  })

  test.each([0, -1, 1.5, '50', undefined])('refuses a timeout of %j', (bad) => {
    expect(() => withTimeout(spyStore(), bad as never)).toThrow(
      'timeoutMs must be a positive integer',
    )
  })
})

describe('a store known to be down', () => {
  test('is asked by one request at a time; the others are told at once', async () => {
    const { store, pending } = await knownDown()
    const probe = expect(store.decide(consume)).rejects.toMatchObject(lost)
    for (let i = 0; i < 100; i++) await expect(store.decide(consume)).rejects.toMatchObject(down)
    await expect(store.forget(['k'])).rejects.toMatchObject(down)
    expect(pending).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(50)
    await probe
    const next = expect(store.decide(consume)).rejects.toMatchObject(lost)
    expect(pending).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(50)
    await next
  })

  test('is up again for all once one request is answered in time', async () => {
    const { store, pending } = await knownDown()
    const probe = store.decide(consume)
    pending[0]?.answer(ruling({}))
    await probe
    const answers = [ask(store), ask(store)]
    expect(pending).toHaveLength(3)
    for (const { answer } of pending) answer(ruling({}))
    await Promise.all(answers)
  })

  test('stays down for an answer that comes too late', async () => {
    const { store, pending } = await knownDown()
    const late = expect(store.decide(consume)).rejects.toMatchObject(lost)
    await vi.advanceTimersByTimeAsync(50)
    await late
    pending[0]?.answer(ruling({ allowed: false, wait: 1 }))
    await turn()
    const probe = store.decide(consume)
    await expect(store.decide(consume)).rejects.toMatchObject(down)
    pending[1]?.answer(ruling({}))
    await probe
  })

  test.each([
    ['a failure', (slow: ReturnType<typeof hanging>['pending'][0]) => slow.fail(new Error('no'))],
    ['a deny cache in it', (slow) => slow.answer({ ...ruling({}), source: 'cache' })],
    ['a fallback in it', (slow) => slow.answer({ ...ruling({}), source: 'fallback' })],
  ])('stays down when %s answers the probe', async (_, answer) => {
    const { store, pending } = await knownDown()
    const probe = ask(store).catch(() => {})
    answer(pending[0]!)
    await probe
    const next = store.decide(consume)
    await expect(store.decide(consume)).rejects.toMatchObject(down)
    pending[1]?.answer(ruling({}))
    await next
  })

  test('is up again as soon as an earlier request is answered in time, whatever the probe does', async () => {
    const slow = hanging()
    const timed = withTimeout(slow.store, 50)
    const early = ask(timed).catch(() => {})
    await vi.advanceTimersByTimeAsync(30)
    const later = timed.decide(consume)
    await vi.advanceTimersByTimeAsync(20)
    await early
    const probe = ask(timed).catch(() => {})
    slow.pending[1]?.answer(ruling({}))
    await later
    const next = timed.decide(consume)
    slow.pending[3]?.answer(ruling({}))
    await next
    await vi.advanceTimersByTimeAsync(50)
    await probe
  })

  test('has one probe, whatever earlier requests come to', async () => {
    const slow = hanging()
    const timed = withTimeout(slow.store, 50)
    const early = ask(timed).catch(() => 'lost')
    await vi.advanceTimersByTimeAsync(30)
    const later = ask(timed).catch(() => 'lost')
    await vi.advanceTimersByTimeAsync(20) // the first is over: down
    expect(await early).toBe('lost')
    const probe = ask(timed).catch(() => 'lost')
    await vi.advanceTimersByTimeAsync(30) // the second is over while the probe is out
    expect(await later).toBe('lost')
    await expect(timed.decide(consume)).rejects.toMatchObject(down)
    expect(slow.pending).toHaveLength(3)
    slow.pending[2]?.answer(ruling({}))
    await probe
  })
})

describe('what is allowed too late', () => {
  async function late(answer: Ruling, request: Request = consume): Promise<readonly Request[]> {
    const { store, pending } = hanging()
    const rejected = expect(withTimeout(store, 50).decide(request)).rejects.toMatchObject(lost)
    await vi.advanceTimersByTimeAsync(50)
    await rejected
    pending[0]?.answer(answer)
    await turn()
    pending[1]?.fail(new Error('and that fails too, which nobody can be told'))
    await turn()
    return pending.slice(1).map(({ request }) => request)
  }

  test('is given back by its receipt', async () => {
    expect(await late(ruling({ receipt: 9 }))).toEqual([
      { mode: 'giveBack', targets: [{ policy, key: 'k', cost: 2, receipt: 9 }] },
    ])
  })

  test('is given back to the store that counted it', async () => {
    const other = spyStore()
    expect(await late({ ...ruling({ receipt: 9 }), source: 'fallback', countedBy: other })).toEqual(
      [],
    )
    expect(other.requests).toMatchObject([{ mode: 'giveBack', targets: [{ receipt: 9 }] }])
  })

  test('is given back as far as it was counted', async () => {
    const targets = [
      { policy, key: 'a', cost: 1, shadow: true },
      { policy, key: 'b', cost: 1 },
    ]
    const answer = { ...ruling({ allowed: false, wait: 1 }, { receipt: 4 }), allowed: true }
    expect(await late(answer, { mode: 'consume', targets })).toMatchObject([
      { mode: 'giveBack', targets: [{ key: 'b', receipt: 4 }] },
    ])
    const none = { ...ruling({ allowed: false, wait: 1 }), allowed: true }
    const shadows = [{ policy, key: 'a', cost: 1, shadow: true }]
    expect(await late(none, { mode: 'consume', targets: shadows })).toEqual([])
  })

  test.each([
    ['a denial', ruling({ allowed: false, wait: 1 }), consume],
    ['what nobody counted', { ...ruling({}), source: 'assumed' } as Ruling, consume],
    ['a look', ruling({}), { ...consume, mode: 'look' } as Request],
    ['a charge, which is a fact', ruling({}), { ...consume, mode: 'charge' } as Request],
    ['a refund', ruling({}), { ...consume, mode: 'giveBack' } as Request],
  ])('is not: %s', async (_, answer, request) => {
    expect(await late(answer, request)).toEqual([])
  })

  test('leaves the counter as it was', async () => {
    const memory = memoryStore()
    let delay = 0
    const slow: Store = {
      ...memory,
      async decide(request) {
        const answer = await memory.decide(request)
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
        return answer
      },
    }
    const limiter = createLimiter({
      store: withTimeout(slow, 50),
      policies: { p: tally(5, { windowMs: 60_000 }) },
    })
    await limiter.consume('k')
    delay = 200
    const callers = Array.from({ length: 3 }, () => limiter.consume('k').catch(({ code }) => code))
    await vi.advanceTimersByTimeAsync(50)
    expect(await Promise.all(callers)).toEqual(Array(3).fill('STORE_INDETERMINATE'))
    delay = 0
    await vi.advanceTimersByTimeAsync(150)
    expect(await limiter.peek('k')).toMatchObject({ remaining: 4 })
  })
})

describe('around a store that hangs,', () => {
  const make = (wrap: (timed: Store) => Store) => {
    const { store, pending } = hanging()
    const wrapped = wrap(withTimeout(store, 50))
    return { pending, limiter: createLimiter({ store: wrapped, policies: { p: policy } }) }
  }

  async function ask(limiter: ReturnType<typeof make>['limiter']) {
    const decisions = Promise.all([1, 2, 3].map(() => limiter.consume('k', 2)))
    await vi.advanceTimersByTimeAsync(50)
    return decisions
  }

  test('withFallback lets the other store decide, within the time', async () => {
    const { limiter } = make((timed) => withFallback(timed, memoryStore()))
    const decisions = await ask(limiter)
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false])
    expect(decisions.map(({ source }) => source)).toEqual(Array(3).fill('fallback'))
  })

  test('allowOnFailure allows, within the time', async () => {
    const { limiter } = make(allowOnFailure)
    for (const decision of await ask(limiter)) {
      expect(decision).toMatchObject({ allowed: true, source: 'assumed', delayMs: 0 })
    }
  })

  test('denyOnFailure denies, within the time', async () => {
    const { limiter } = make((timed) => denyOnFailure(timed, '5s'))
    for (const decision of await ask(limiter)) {
      expect(decision).toMatchObject({ allowed: false, source: 'assumed', retryAfterMs: 5000 })
    }
  })

  test('denyCache goes on with what it knows', async () => {
    const { limiter, pending } = make((timed) => denyCache(timed))
    const first = limiter.consume('k', 2)
    pending[0]?.answer(ruling({ allowed: false, wait: 800_000 }))
    await first
    const other = expect(limiter.consume('other')).rejects.toMatchObject(lost)
    await vi.advanceTimersByTimeAsync(50)
    await other
    expect(await limiter.consume('k', 2)).toMatchObject({ source: 'cache', retryAfterMs: 750 })
  })

  test('all of them together answer within the time, and nobody asks twice', async () => {
    const { limiter, pending } = make((timed) =>
      denyCache(
        allowOnFailure(
          withFallback(
            timed,
            spyStore(() => {
              throw new SpillwayError('STORE_UNAVAILABLE', 'down as well', { cause: undefined })
            }),
          ),
        ),
      ),
    )
    const decisions = await ask(limiter)
    expect(decisions.map(({ source }) => source)).toEqual(Array(3).fill('assumed'))
    expect(pending).toHaveLength(3)
  })
})
