import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AcquireOptions,
  type Caller,
  createLimiter,
  type Limiter,
  memoryStore,
  type Reserved,
  type Ruling,
  SpillwayError,
  type Store,
} from '../src/index.js'
import { ruling, spyStore } from './spy-store.js'
import { tally } from './tally.js'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.useRealTimers()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

/** A limiter that tells who was granted, and when, in milliseconds from the start. */
function watched(limit: number, store: Store = memoryStore()) {
  const start = Date.now()
  const limiter = createLimiter({ store, policies: { p: tally(limit) } })
  const log: [name: string, ms: number, how: string][] = []
  const ask = (name: string, options: AcquireOptions<'p'> = {}, key = 'k') =>
    limiter.acquire(key, options).then(
      () => void log.push([name, Date.now() - start, 'granted']),
      (reason) => void log.push([name, Date.now() - start, codeOf(reason)]),
    )
  return { limiter, log, ask }
}

const codeOf = (reason: unknown) => (reason instanceof SpillwayError ? reason.code : String(reason))

const left = async (limiter: Limiter<'p'>) => (await limiter.peek('k')).remaining

describe('acquire', () => {
  test('grants at once what is there, and the rest when it comes back, first come first served', async () => {
    const { log, ask } = watched(2)
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name)
    await vi.advanceTimersByTimeAsync(5000)
    expect(log).toEqual([
      ['a', 0, 'granted'],
      ['b', 0, 'granted'],
      ['c', 1000, 'granted'],
      ['d', 1000, 'granted'],
      ['e', 2000, 'granted'],
    ])
  })

  test('a small cost does not overtake a large one', async () => {
    const { log, ask } = watched(3)
    void ask('first', { cost: 2 })
    void ask('large', { cost: 3 })
    void ask('small')
    await vi.advanceTimersByTimeAsync(5000)
    expect(log.map(([name, ms]) => [name, ms])).toEqual([
      ['first', 0],
      ['large', 1000],
      ['small', 2000],
    ])
  })

  test('other keys do not wait', async () => {
    const { log, ask } = watched(1)
    void ask('a', {}, 'k')
    void ask('b', {}, 'k')
    void ask('c', {}, 'other')
    await vi.advanceTimersByTimeAsync(0)
    expect(log.map(([name]) => name)).toEqual(['a', 'c'])
    await vi.advanceTimersByTimeAsync(1000)
  })

  test('is never early: a host’s timer that fires too soon is set again', async () => {
    const { log, ask } = watched(1)
    const real = globalThis.setTimeout
    const early = vi.spyOn(globalThis, 'setTimeout')
    early.mockImplementation(((run: () => void, ms: number) => real(run, ms - 1)) as never)
    void ask('a')
    void ask('b')
    await vi.advanceTimersByTimeAsync(999)
    expect(log).toHaveLength(1)
    early.mockRestore()
    await vi.advanceTimersByTimeAsync(10)
    expect(log[1]).toEqual(['b', 1000, 'granted'])
  })

  test('waits longer than a host’s timer can', async () => {
    const month = 2 ** 31 + 5
    let asked = 0
    const store = spyStore(() =>
      asked++ === 0 ? ruling({ allowed: false, wait: month * 1000 }) : ruling({}),
    )
    const { log, ask } = watched(1, store)
    void ask('a')
    await vi.advanceTimersByTimeAsync(month - 1)
    expect(log).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(log).toEqual([['a', month, 'granted']])
  })

  test('goes ahead only after the delay of a rule that spaces requests, while the next asks at once', async () => {
    let delay = -250
    const store = spyStore(() => {
      delay += 250
      return ruling({ wait: delay * 1000 })
    })
    const { log, ask } = watched(9, store)
    for (const name of ['a', 'b', 'c']) void ask(name)
    await vi.advanceTimersByTimeAsync(0)
    expect(store.requests).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(1000)
    expect(log.map(([name, ms]) => [name, ms])).toEqual([
      ['a', 0],
      ['b', 250],
      ['c', 500],
    ])
  })

  test('gives the decision, which can be refunded', async () => {
    const { limiter } = watched(5)
    const decision = await limiter.acquire('k', { cost: 3 })
    expect(decision).toMatchObject({ allowed: true, remaining: 2, policy: 'p', source: 'store' })
    await limiter.refund(decision)
    expect(await left(limiter)).toBe(5)
  })

  test.each<[string, (limiter: Limiter<'p'>, first: Reserved<'p'>) => unknown]>([
    ['a refund', (limiter, first) => limiter.refund(first, 1)],
    ['a reservation settled for less', (_, first) => first.settle(1)],
    ['a cancelled reservation', (_, first) => first.cancel()],
    ['a reset', (limiter) => limiter.reset('k')],
    ['a roomier policy', (limiter) => limiter.replace({ p: tally(5) })],
  ])('does not sleep through what %s brings back', async (_, bringBack) => {
    const { limiter, log, ask } = watched(2)
    const first = (await limiter.reserve('k', 2)) as Reserved<'p'>
    void ask('a')
    await vi.advanceTimersByTimeAsync(400)
    await bringBack(limiter, first)
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual([['a', 400, 'granted']])
  })

  test('sleeps on when something comes back to another key, or too little', async () => {
    const store = spyStore(() => ruling({ allowed: false, wait: 1_000_000 }))
    const limiter = createLimiter({ store, policies: { p: tally(2) } })
    const waiting = limiter.acquire('k', { timeoutMs: 2000 }).catch(codeOf)
    await vi.advanceTimersByTimeAsync(100)
    await limiter.reset('other')
    await vi.advanceTimersByTimeAsync(100)
    expect(store.requests).toHaveLength(1)
    await limiter.reset('k')
    await vi.advanceTimersByTimeAsync(100)
    expect(store.requests).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await waiting).toBe('TIMED_OUT')
  })

  test('waits for the key and the cost it was asked for, whatever becomes of the objects', async () => {
    const { limiter } = watched(2)
    const key = { p: 'a' }
    const cost = { p: 2 }
    const asked = limiter.acquire(key, { cost })
    const behind = limiter.acquire(key, { cost })
    key.p = 'b'
    cost.p = 1
    await vi.advanceTimersByTimeAsync(1000)
    await Promise.all([asked, behind])
    expect((await limiter.peek('a')).remaining).toBe(0)
    expect((await limiter.peek('b')).remaining).toBe(2)
  })
})

describe('a caller who gives up', () => {
  test('by time is told at the time, and has consumed nothing', async () => {
    const { limiter, log, ask } = watched(1)
    const store = limiter
    void ask('a')
    void ask('in line', { timeoutMs: 300 })
    await vi.advanceTimersByTimeAsync(1)
    void ask('behind', { timeoutMs: 2500 })
    await vi.advanceTimersByTimeAsync(5000)
    expect(log).toEqual([
      ['a', 0, 'granted'],
      ['in line', 0, 'TIMED_OUT'], // at once: more is known to be needed
      ['behind', 1000, 'granted'],
    ])
    expect(await left(store)).toBe(1)
  })

  test('behind others is told when its time is over, since nobody knows before', async () => {
    const { log, ask } = watched(1)
    void ask('a')
    void ask('b')
    void ask('c', { timeoutMs: 300 })
    await vi.advanceTimersByTimeAsync(5000)
    expect(log).toEqual([
      ['a', 0, 'granted'],
      ['c', 300, 'TIMED_OUT'],
      ['b', 1000, 'granted'],
    ])
  })

  test('by signal is told the reason, wherever in the line it is, and the others move up', async () => {
    const { limiter, log, ask } = watched(1)
    const [head, middle] = [new AbortController(), new AbortController()]
    void ask('a')
    void ask('head', { signal: head.signal })
    void ask('middle', { signal: middle.signal })
    void ask('last')
    await vi.advanceTimersByTimeAsync(100)
    middle.abort('went away')
    await vi.advanceTimersByTimeAsync(100)
    head.abort()
    await vi.advanceTimersByTimeAsync(5000)
    expect(log).toEqual([
      ['a', 0, 'granted'],
      ['middle', 100, 'went away'],
      ['head', 200, expect.stringContaining('AbortError')],
      ['last', 1000, 'granted'],
    ])
    expect(await left(limiter)).toBe(1)
  })

  test('before its request was sent is not counted for', async () => {
    const callers: (Caller | undefined)[] = []
    const store: Store = {
      ...spyStore(),
      decide: (_, caller) => {
        callers.push(caller)
        return new Promise(() => {})
      },
    }
    const limiter = createLimiter({ store, policies: { p: tally(2) } })
    const aborted = new AbortController()
    const asked = limiter.acquire('k', { signal: aborted.signal }).catch(String)
    await vi.advanceTimersByTimeAsync(0)
    expect(callers[0]).toMatchObject({ gone: false })
    aborted.abort('enough')
    expect(await asked).toBe('enough')
    expect(callers[0]).toMatchObject({ gone: true })
  })

  test('before it began has not even asked', async () => {
    const store = spyStore()
    const { log, ask } = watched(1, store)
    await ask('a', { signal: AbortSignal.abort('too late') })
    expect(log).toEqual([['a', 0, 'too late']])
    expect(store.calls).toBe(0)
  })

  test('is told in time while the store hangs; what it then grants goes back before the next asks', async () => {
    const answers: ((ruling: Ruling) => void)[] = []
    const store = spyStore(() => new Promise((resolve) => answers.push(resolve)))
    const { log, ask } = watched(5, store)
    void ask('a', { timeoutMs: 50, cost: 2 })
    void ask('b')
    await vi.advanceTimersByTimeAsync(50)
    expect(log).toEqual([['a', 50, 'TIMED_OUT']])
    expect(store.requests).toHaveLength(1)

    answers.shift()?.(ruling({ receipt: 7 }))
    await vi.advanceTimersByTimeAsync(0)
    expect(store.requests[1]).toMatchObject({
      mode: 'giveBack',
      targets: [{ cost: 2, receipt: 7 }],
    })
    expect(store.requests).toHaveLength(2)

    answers.shift()?.(ruling({}))
    await vi.advanceTimersByTimeAsync(0)
    expect(store.requests[2]).toMatchObject({ mode: 'consume', targets: [{ cost: 1 }] })
    answers.shift()?.(ruling({}))
    await vi.advanceTimersByTimeAsync(0)
    expect(log[1]).toEqual(['b', 50, 'granted'])
  })

  test.each([
    ['a late denial', () => ruling({ allowed: false, wait: 5 })],
    ['a late failure', () => Promise.reject(new Error('lost'))],
  ])('needs nothing given back after %s, and the next is served', async (_, late) => {
    let answer = (): void => {}
    let calls = 0
    const store = spyStore(() => {
      calls += 1
      if (calls > 1) return ruling({})
      return new Promise<Ruling>((resolve) => {
        answer = () => resolve(late())
      })
    })
    const { log, ask } = watched(5, store)
    void ask('a', { timeoutMs: 50 })
    void ask('b')
    await vi.advanceTimersByTimeAsync(50)
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(store.requests.map(({ mode }) => mode)).toEqual(['consume', 'consume'])
    expect(log[1]).toEqual(['b', 50, 'granted'])
  })

  test('during its delay gives its turn back', async () => {
    const store = spyStore(({ mode }) => ruling(mode === 'consume' ? { wait: 500_000 } : {}))
    const { log, ask } = watched(5, store)
    const leaving = new AbortController()
    void ask('a', { signal: leaving.signal })
    await vi.advanceTimersByTimeAsync(100)
    leaving.abort('bye')
    await vi.advanceTimersByTimeAsync(1000)
    expect(log).toEqual([['a', 100, 'bye']])
    expect(store.requests.map(({ mode }) => mode)).toEqual(['consume', 'giveBack'])
  })

  test('since its delay is too long gives its turn back before the next asks', async () => {
    const store = spyStore(({ mode }) => ruling(mode === 'consume' ? { wait: 500_000 } : {}))
    const { log, ask } = watched(5, store)
    void ask('a', { timeoutMs: 499 })
    void ask('b', { timeoutMs: 501 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(log).toEqual([
      ['a', 0, 'TIMED_OUT'],
      ['b', 500, 'granted'],
    ])
    expect(store.requests.map(({ mode }) => mode)).toEqual(['consume', 'giveBack', 'consume'])
  })

  test('since its delay is too long lets the next ask only when its turn is given back', async () => {
    let answer = (): void => {}
    const store = spyStore(({ mode }) => {
      if (mode === 'consume') return ruling({ wait: 500_000 })
      return new Promise((resolve) => {
        answer = () => resolve(ruling({}))
      })
    })
    const { ask } = watched(5, store)
    void ask('a', { timeoutMs: 499 })
    void ask('b')
    await vi.advanceTimersByTimeAsync(100)
    expect(store.requests.map(({ mode }) => mode)).toEqual(['consume', 'giveBack'])
    answer()
    await vi.advanceTimersByTimeAsync(500)
    expect(store.requests.map(({ mode }) => mode)).toEqual(['consume', 'giveBack', 'consume'])
  })

  test('whose turn cannot be given back harms nobody', async () => {
    const store = spyStore(({ mode }) => {
      if (mode === 'giveBack') throw new Error('the store is gone')
      return ruling({ wait: 500_000 })
    })
    const { log, ask } = watched(5, store)
    void ask('a', { timeoutMs: 100 })
    void ask('b', { timeoutMs: 600 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(log).toEqual([
      ['a', 0, 'TIMED_OUT'],
      ['b', 500, 'granted'],
    ])
  })

  test('leaves no listener on a signal that lives on, and neither does one who was granted', async () => {
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    add.mockImplementation((_, listener) => void listeners.add(listener))
    remove.mockImplementation((_, listener) => void listeners.delete(listener))
    const { log, ask } = watched(1)
    void ask('granted', { signal })
    void ask('too late', { signal, timeoutMs: 1 })
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toHaveLength(2)
    expect(add).toHaveBeenCalledTimes(2)
    expect(listeners.size).toBe(0)
  })
})

describe('acquire rejects', () => {
  test('a cost that never fits, at once and not at the end of the line', async () => {
    const { log, ask } = watched(1)
    void ask('a')
    void ask('b')
    void ask('never', { cost: 2 })
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual([
      ['never', 0, 'NEVER_FITS'],
      ['a', 0, 'granted'],
    ])
    await vi.advanceTimersByTimeAsync(1000)
  })

  test('a cost that no longer fits once a policy was replaced', async () => {
    const { limiter, log, ask } = watched(2)
    void ask('a')
    void ask('b', { cost: 2 })
    await vi.advanceTimersByTimeAsync(0)
    limiter.replace({ p: tally(1) })
    await vi.advanceTimersByTimeAsync(1000)
    expect(log[1]).toEqual(['b', 0, 'NEVER_FITS'])
  })

  test('with the store’s own error, and the next caller is served', async () => {
    let calls = 0
    const store = spyStore(() => {
      calls += 1
      if (calls === 1) throw new Error('down')
      return ruling({})
    })
    const { log, ask } = watched(1, store)
    void ask('a')
    void ask('b')
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual([
      ['a', 0, 'Error: down'],
      ['b', 0, 'granted'],
    ])
  })

  test.each([
    [{ timeoutMs: 0 }, 'timeoutMs must be a positive integer, got 0'],
    [{ timeoutMs: 1.5 }, 'timeoutMs must be a positive integer, got 1.5'],
    [{ cost: 0 }, 'cost must be a positive integer, got 0'],
    [{ signal: {} }, 'signal must be an AbortSignal, got an object'],
    [{ signal: null }, 'signal must be an AbortSignal, got null'],
  ])('misuse: %j', async (options, message) => {
    const store = spyStore()
    const { limiter } = watched(1, store)
    const misuse = { code: 'INVALID_ARGUMENT', message }
    await expect(limiter.acquire('k', options as never)).rejects.toMatchObject(misuse)
    expect(store.calls).toBe(0)
  })
})

test('lines that nobody waits in are forgotten', async () => {
  const deleted = vi.spyOn(Map.prototype, 'delete')
  const { ask } = watched(1, spyStore())
  await Promise.all([ask('a', {}, 'x'), ask('b', {}, 'x'), ask('c', {}, 'y')])
  await vi.advanceTimersByTimeAsync(0)
  const lines = deleted.mock.calls.map(([line]) => line)
  deleted.mockRestore()
  expect(lines.filter((line) => String(line).includes('{x}'))).toHaveLength(1)
  expect(lines.filter((line) => String(line).includes('{y}'))).toHaveLength(1)
})
