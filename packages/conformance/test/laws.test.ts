import {
  type Algorithm,
  memoryStore,
  type Policy,
  type Store,
  type TargetRuling,
} from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { caseLines } from '../src/case-lines.js'
import { algorithmLaws, type Law, laws, type Subject, storeLaws } from '../src/index.js'
import type { Step } from '../src/steps.js'
import { onePer } from './one-per.js'

const memory: Subject['store'] = {
  name: 'memory',
  open: (clock) => memoryStore(clock && { clock }),
  bounded: (clock, maxKeys) => memoryStore({ clock, maxKeys }),
  runs: 50,
  seed: 1,
}
const good: Subject = { store: memory, policies: [onePer(10_000), onePer(7), onePer(1001)] }

test('the lists hold every number of the design, and no law twice', () => {
  expect([...new Set(laws.map(({ number }) => number))].toSorted((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ])
  expect(new Set(laws.map(({ name }) => name)).size).toBe(laws.length)
  expect(new Set(laws)).toEqual(new Set([...algorithmLaws, ...storeLaws]))
})

const checkable = laws.filter(({ needs }) => needs === undefined || needs in memory)

test('a law that needs what the store has not is not passed over in silence', async () => {
  const others = laws.filter((law) => !checkable.includes(law))
  expect(others.map(({ number, needs }) => `${number} ${needs}`)).toEqual([
    '12 inspect',
    '3 inspect',
    '5 inspect',
    '5 inspect',
    '8 inspect',
  ])
  for (const law of others) {
    const message = `Law ${law.number} cannot be checked on memory, which has no inspect: `
    expect(await failure(law, good)).toContain(message)
  }
})

describe('a rule that obeys them passes', () => {
  test.each(checkable)('law $number: $name', async (law) => {
    await law.check(good)
  })
})

describe('a broken rule fails', () => {
  const { algorithm } = onePer(1)
  const broken: readonly [what: string, law: number, parts: Partial<Algorithm>][] = [
    [
      'allows always',
      1,
      {
        check: (_, __, ___, [window]) => ({ allowed: true, remaining: 1, wait: 0, reset: window! }),
      },
    ],
    [
      'waits a microsecond short',
      2,
      {
        check(...args) {
          const verdict = algorithm.check(...args)
          return { ...verdict, wait: verdict.allowed ? 0 : Math.max(1, verdict.wait - 1) }
        },
      },
    ],
    [
      'counts what it judges',
      3,
      {
        check(state, now, cost, args) {
          const verdict = algorithm.check(state, now, cost, args)
          if (!verdict.allowed) (state as number[])[0] = now
          return verdict
        },
      },
    ],
    [
      'has more left than it says',
      4,
      { check: (...args) => ({ ...algorithm.check(...args), remaining: 0 }) },
    ],
    [
      'is forgotten too early',
      5,
      {
        record(...args) {
          const recorded = algorithm.record(...args)
          return { ...recorded, ttl: Math.max(1, recorded.ttl - 1) }
        },
      },
    ],
    [
      'gives nothing back',
      7,
      {
        giveBack: (state, now, cost, args, receipt) =>
          algorithm.giveBack(state, now, cost, args, -receipt),
      },
    ],
    [
      'starts afresh when the clock steps back',
      9,
      {
        check(state, now, cost, args) {
          return algorithm.check((state[0] ?? 0) > now ? [] : state, now, cost, args)
        },
      },
    ],
    [
      'remembers too much',
      12,
      {
        record(state, now, cost, args) {
          const recorded = algorithm.record(state, now, cost, args)
          state.push(now)
          return recorded
        },
      },
    ],
  ]
  test.each(broken)('%s: law %i', async (_, number, parts) => {
    const policies = [onePer(10_000, parts), onePer(7, parts)]
    const failures = await Promise.all(
      checkable
        .filter((law) => law.number === number)
        .map((law) => failure(law, { store: memory, policies })),
    )
    expect(failures.filter(Boolean).join('\n')).toMatch(
      new RegExp(`^Law ${number} is broken: .*\n  It demands that `),
    )
  })
})

describe('an answer that is not made of legal numbers breaks any law', () => {
  const illegal: readonly [what: string, says: Partial<TargetRuling>, demand: string][] = [
    [
      'less than nothing left',
      { remaining: -1 },
      'remaining is an integer from 0 to the capacity 1, not -1',
    ],
    [
      'more left than fits',
      { remaining: 2 },
      'remaining is an integer from 0 to the capacity 1, not 2',
    ],
    [
      'half a unit left',
      { remaining: 0.5 },
      'remaining is an integer from 0 to the capacity 1, not 0.5',
    ],
    [
      'no number at all',
      { remaining: Number.NaN },
      'remaining is an integer from 0 to the capacity 1, not NaN',
    ],
    ['a wait into the past', { wait: -1 }, 'wait is a whole number of at least 0, not -1'],
    [
      'a wait without end',
      { wait: Number.POSITIVE_INFINITY },
      'wait is a whole number of at least 0, not Infinity',
    ],
    [
      'a fraction of a microsecond',
      { reset: 0.1 },
      'reset is a whole number of at least 0, not 0.1',
    ],
    [
      'a receipt that is lost in transit',
      { receipt: 2 ** 53 },
      'receipt is a whole number of at least 0, not 9007199254740992',
    ],
    ['a denial without a wait', { allowed: false, wait: 0 }, 'a denial has a wait above 0'],
  ]
  test.each(illegal)('%s', async (_, says, demand) => {
    const message = await failure(lawOf(1), { ...good, store: saying(says) })
    expect(message).toContain(`\n  It demands that ${demand}\n`)
  })

  test('a charge that is denied', async () => {
    const store = { ...memory, open: () => denying(memoryStore()) }
    const message = await failure(lawOf(4), { ...good, store })
    expect(message).toMatch(/It demands that a (charge|refund) is never denied/)
  })
})

describe('a failure', () => {
  const parts: Partial<Algorithm> = {
    check: (...args) => ({ ...onePer(1).algorithm.check(...args), reset: 1 }),
  }
  const policies: readonly Policy[] = [onePer(10_000), onePer(7, parts)]
  const subject: Subject = { store: memory, policies }
  const law = laws.find(({ number, name }) => number === 4 && name.includes('reset'))!

  test('tells the law, the demand, the policy, the store, the case and the replay', async () => {
    expect((await failure(law, subject))?.split('\n')).toEqual([
      `Law 4 is broken: ${law.name}`,
      expect.stringMatching(
        /^ {2}It demands that at the reset after 1 µs more than 0 remain, not 0$/,
      ),
      '  Policy   one-per, limit 1 per 7 ms, capacity 1',
      '  Store    memory',
      expect.stringMatching(/^ {2}Case {5}at \d+ µs$/),
      '           consume 1',
      expect.stringMatching(
        /^ {2}Replay {3}law\.check\(subject, \{"seed":2,"path":".+","policy":1\}\)$/,
      ),
    ])
  })

  test('is found again by its replay, with the seed of the store or without', async () => {
    const message = await failure(law, subject)
    const replay = JSON.parse(/law\.check\(subject, (.*)\)$/.exec(message!)![1]!)
    const { seed: _, ...unseeded } = memory
    const again = await law.check({ store: unseeded, policies }, replay).catch(String)
    expect(again).toBe(`Error: ${message}`)
  })

  test('to meet a demand is told without where in the kit it is stated', async () => {
    const error = await law.check(subject).catch((broken: Error) => broken)
    expect(error).not.toHaveProperty('cause')
    expect((error as Error).stack).toBe(`Error: ${(error as Error).message}`)
  })

  test('is not made smaller where that is not wanted', async () => {
    const long = await failure(law, { ...subject, store: { ...memory, shrinkMs: 0 } })
    const short = await failure(law, subject)
    expect(long!.length).toBeGreaterThan(short!.length)
  })

  test('of the store itself is told from an unmet demand', async () => {
    const store = { ...memory, open: () => failing() }
    const error = await lawOf(1)
      .check({ ...good, store })
      .catch((broken: Error) => broken)
    expect(error).toMatchObject({
      message: expect.stringContaining(
        '\n  It could not be checked: Error: the server is on fire\n',
      ),
      cause: { message: 'the server is on fire', stack: expect.stringContaining('laws.test.ts') },
    })
  })
})

test('a case is told one step a line, and what is no history as it was drawn', () => {
  const steps: Step[] = [
    { do: 'consume', cost: 2 },
    { do: 'wait', us: 3 },
    { do: 'wait out', lessUs: 0 },
    { do: 'wait out', lessUs: 1 },
    { do: 'step back', us: 4 },
    { do: 'give back', which: 5, cost: 6 },
    { do: 'give back', which: 'latest', cost: 7 },
  ]
  expect(caseLines([{ start: 1, steps }, [], 8])).toEqual([
    'at 1 µs',
    'consume 2',
    'wait 3 µs',
    'wait as long as the last answer says',
    'wait as long as the last answer says, less 1 µs',
    'set the clock back by 4 µs',
    'give back up to 6 of what was allowed: number 5, counted round',
    'give back up to 7 of what was allowed: the latest one',
    '8',
  ])
  expect(caseLines({ estimate: 1, actual: 2 })).toEqual(['{"estimate":1,"actual":2}'])
  expect(caseLines(['{', '*'])).toEqual(['["{","*"]'])
})

test('a rule that allows everything is found out, not waited for', async () => {
  const policies = [7, 9].map((ms) =>
    onePer(ms, { record: (_, now) => ({ receipt: now, remaining: 1, reset: 1, ttl: 0 }) }),
  )
  const law = laws.find(({ name }) => name.startsWith('acquire'))!
  expect(await failure(law, { store: memory, policies })).toMatch(
    /It demands that at most \d+ are allowed in \d+ µs, not \d+/,
  )
})

function lawOf(number: number): Law {
  return laws.find((law) => law.number === number)!
}

async function failure(law: Law, subject: Subject): Promise<string | undefined> {
  return law.check(subject).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

function saying(says: Partial<TargetRuling>): Subject['store'] {
  return {
    ...memory,
    open(clock) {
      const store = memoryStore(clock && { clock })
      return {
        ...store,
        async decide(request) {
          const ruling = await store.decide(request)
          return { ...ruling, targets: ruling.targets.map((target) => ({ ...target, ...says })) }
        },
      }
    },
  }
}

function denying(store: Store): Store {
  return {
    ...store,
    async decide(request) {
      const ruling = await store.decide(request)
      if (request.mode !== 'charge' && request.mode !== 'giveBack') return ruling
      const targets = ruling.targets.map((target) => ({ ...target, allowed: false, wait: 1 }))
      return { ...ruling, allowed: false, targets }
    },
  }
}

function failing(): Store {
  const fail = async () => {
    throw new Error('the server is on fire')
  }
  return { decide: fail, forget: fail }
}
