import { describe, expect, test, vi } from 'vitest'
import { createLimiter, type DecisionEvent, memoryStore, SpillwayError } from '../src/index.js'
import { spyStore } from './spy-store.js'
import { tally } from './tally.js'

function watched(store = memoryStore()) {
  const events: DecisionEvent<'p'>[] = []
  const waiting: number[] = []
  const limiter = createLimiter({
    store,
    policies: { p: tally(2) },
    onDecision: (event) => void events.push(event),
    onWaiting: (change) => void waiting.push(change),
  })
  return { limiter, events, waiting }
}

describe('onDecision', () => {
  test('is told of every decision: policy, outcome, source, duration', async () => {
    const { limiter, events } = watched()
    const allowed = await limiter.consume('k', 2)
    const denied = await limiter.consume('k')
    const never = await limiter.consume('k', 3)
    expect(events).toMatchObject([
      { outcome: 'allowed', policy: 'p', source: 'store' },
      { outcome: 'denied', policy: 'p', source: 'store' },
      { outcome: 'denied', policy: 'p', source: 'assumed' },
    ])
    const decisions = events.map((event) => 'decision' in event && event.decision)
    expect(decisions).toEqual([allowed, denied, never])
    for (const { durationMs } of events) {
      expect(durationMs).toBeGreaterThanOrEqual(0)
      expect(durationMs).toBeLessThan(10_000)
    }
  })

  test('is told how long the store took, on a clock that never steps', async () => {
    const now = vi.spyOn(performance, 'now')
    const store = spyStore(() => {
      now.mockReturnValue(1250)
      throw new Error('lost')
    })
    now.mockReturnValue(1000)
    const { limiter, events } = watched(store)
    await expect(limiter.consume('k')).rejects.toThrow('lost')
    now.mockRestore()
    expect(events).toMatchObject([{ outcome: 'failed', durationMs: 250 }])
  })

  test('is told of failures, with the error that the caller gets', async () => {
    const error = new SpillwayError('STORE_UNAVAILABLE', 'down', { cause: 1 })
    const { limiter, events } = watched(spyStore(() => Promise.reject(error)))
    await expect(limiter.consume('k')).rejects.toBe(error)
    expect(events).toEqual([{ outcome: 'failed', error, durationMs: expect.any(Number) }])
  })

  test('is not told of misuse, which is no decision', async () => {
    const { limiter, events } = watched()
    await expect(limiter.consume('')).rejects.toThrow('key')
    await expect(limiter.consume('k', 0)).rejects.toThrow('cost')
    expect(events).toEqual([])
  })

  test('is told of what reserve and acquire decide, and of no look, refund, charge or reset', async () => {
    const { limiter, events } = watched()
    const decision = await limiter.reserve('k', 1)
    await limiter.acquire('k')
    expect(events).toHaveLength(2)
    await limiter.peek('k')
    await limiter.charge('k', 1)
    if (decision.allowed) await decision.cancel()
    await limiter.reset('k')
    expect(events).toHaveLength(2)
  })
})

describe('onWaiting', () => {
  test('is told when a caller begins to wait, and when it has ended, however', async () => {
    const { limiter, waiting } = watched()
    await limiter.acquire('k', { cost: 2 })
    expect(waiting).toEqual([1, -1])
    const signal = AbortSignal.abort()
    await expect(limiter.acquire('k', { signal })).rejects.toThrow()
    await expect(limiter.acquire('k', { timeoutMs: 1 })).rejects.toThrow()
    expect(waiting).toEqual([1, -1, 1, -1, 1, -1])
    const [a, b] = [new AbortController(), new AbortController()]
    const callers = [a, b].map(({ signal }) => limiter.acquire('k', { signal }).catch(() => {}))
    expect(waiting.slice(6)).toEqual([1, 1])
    a.abort()
    b.abort()
    await Promise.all(callers)
    expect(waiting.slice(6)).toEqual([1, 1, -1, -1])
  })

  test('is not told of misuse, or of what can never fit', async () => {
    const { limiter, waiting } = watched()
    await expect(limiter.acquire('')).rejects.toThrow('key')
    await expect(limiter.acquire('k', { cost: 3 })).rejects.toThrow('more than')
    await expect(limiter.acquire('k', { timeoutMs: 0 })).rejects.toThrow('timeoutMs')
    expect(waiting).toEqual([])
  })
})

describe('a hook that misbehaves harms nothing:', () => {
  const never = new Promise(() => {})
  test.each([
    [
      'one that throws',
      () => {
        throw new Error('in the hook')
      },
    ],
    ['one that rejects', () => Promise.reject(new Error('in the hook'))],
    ['one that never ends', () => never],
    [
      'one with a then that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: it is what the test is about
        get then() {
          throw new Error('in the hook')
        },
      }),
    ],
    [
      'one with a then that rejects',
      // biome-ignore lint/suspicious/noThenProperty: it is what the test is about
      () => ({ then: (_: unknown, no: (e: Error) => void) => no(new Error('in the hook')) }),
    ],
  ])('%s', async (_, hook) => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    let fails = false
    const memory = memoryStore()
    const limiter = createLimiter({
      store: {
        ...memory,
        decide: (request) => (fails ? Promise.reject(new Error('down')) : memory.decide(request)),
      },
      policies: { p: tally(2) },
      onDecision: hook as () => void,
      onWaiting: hook as () => void,
    })
    expect(await limiter.consume('k')).toMatchObject({ allowed: true })
    expect(await limiter.acquire('k')).toMatchObject({ allowed: true })
    expect(await limiter.consume('k')).toMatchObject({ allowed: false })
    fails = true
    await expect(limiter.consume('k')).rejects.toThrow('down')
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

test.each(['onDecision', 'onWaiting'])('%s must be a function', (name) => {
  const options = { store: memoryStore(), policies: { p: tally(2) }, [name]: 'log' }
  expect(() => createLimiter(options)).toThrow(`${name} must be a function, got "log"`)
})
