import { describe, expect, test } from 'vitest'
import {
  allowOnFailure,
  createLimiter,
  denyCache,
  denyOnFailure,
  type LimiterOptions,
  memoryStore,
  type Policy,
  SpillwayError,
  withFallback,
  withTimeout,
} from '../src/index.js'
import { spyStore } from './spy-store.js'
import { tally } from './tally.js'

/** Misuse that only JavaScript, or a cast, lets through to us. */
const anything = (value: unknown): never => value as never

const store = spyStore()
const advised = tally(5000, { maxCost: { value: 1000, advice: 'take the compact one' } })
const limiter = createLimiter({ store, policies: { api: tally(5000) } })
const both = createLimiter({ store, policies: { requests: tally(10), tokens: advised } })

describe('createLimiter refuses, naming the option and the value:', () => {
  const make = (options: object) => () =>
    createLimiter({ store, policies: { api: tally(1) }, ...options } as LimiterOptions<{
      api: Policy
    }>)

  const badNames: readonly [unknown, string][] = [
    ['', '""'],
    ['a:b', '"a:b"'],
    ['{a}', '"{a}"'],
    ['ü', '"ü"'],
    ['a b', '"a b"'],
    ['a\n', '"a\\n"'],
    [7, '7'],
    [null, 'null'],
  ]
  const name = 'must consist of letters, digits, "_", "." and "-"'

  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'an object'],
    [{ decide() {} }, 'an object'],
    [() => {}, 'a function'],
  ])('store %o', (bad, shown) => {
    expect(make({ store: bad })).toThrow(
      misuse(`store must be a store, such as memoryStore(), got ${shown}`),
    )
  })

  test.each(badNames)('prefix %j', (prefix, shown) => {
    expect(make({ prefix })).toThrow(misuse(`prefix ${name}, got ${shown}`))
  })

  test.each(badNames.slice(0, 6))('policy name %j', (bad, shown) => {
    expect(make({ policies: { [String(bad)]: tally(1) } })).toThrow(
      misuse(`policy name ${name}, got ${shown}`),
    )
  })

  test('the policy name __proto__, which no object can carry safely', () => {
    const policies = JSON.parse('{ "__proto__": {} }')
    expect(make({ policies })).toThrow(misuse(`policy name ${name}, got "__proto__"`))
  })

  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['api', '"api"'],
  ])('policies %o', (policies, shown) => {
    expect(make({ policies })).toThrow(
      misuse(`policies must be an object of policies by name, got ${shown}`),
    )
  })

  test.each([0, 9])('%i policies', (count) => {
    const policies = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`p${i}`, tally(1)]),
    )
    expect(make({ policies })).toThrow(
      misuse(`policies must be from 1 to 8 policies, got ${count}`),
    )
  })

  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{ limit: 5 }, 'an object'],
    [tally, 'a function'],
    [{ algorithm: {} }, 'an object'],
  ])('a policy %o', (policy, shown) => {
    expect(make({ policies: { api: policy } })).toThrow(
      misuse(`policies.api must be a policy, such as slidingWindow({ … }), got ${shown}`),
    )
  })

  test('an algorithm whose name would break keys', () => {
    const policy = tally(1)
    const broken = { ...policy, algorithm: { ...policy.algorithm, name: 'a{b' } }
    expect(make({ policies: { api: broken } })).toThrow(
      misuse(`policies.api.algorithm.name ${name}, got "a{b"`),
    )
  })

  test('slotBy that is no policy', () => {
    expect(make({ slotBy: 'nope' })).toThrow(
      misuse(`slotBy must be a policy's name (api), got "nope"`),
    )
  })

  test('a policy of another contract, by a code of its own', () => {
    const policy = tally(1)
    const future = { ...policy, algorithm: { ...policy.algorithm, contract: 2 } }
    expect(make({ policies: { api: future } })).toThrow(
      expect.objectContaining({
        code: 'CONTRACT_MISMATCH',
        message: expect.stringMatching(/policies\.api is of contract 2.*contract 1/),
      }),
    )
  })

  test('and takes names of all the letters it says, up to 8 policies', () => {
    const names = ['A-Z.a_z-9', 'constructor', 'toString', '0', '1', '2', '3', '4']
    expect(
      make({ policies: Object.fromEntries(names.map((own) => [own, tally(1)])) }),
    ).not.toThrow()
  })
})

describe('memoryStore refuses:', () => {
  test.each([
    [0, '0'],
    [-1, '-1'],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['10', '"10"'],
    [10n, '10n'],
    [null, 'null'],
  ])('maxKeys %o', (maxKeys, shown) => {
    expect(() => memoryStore({ maxKeys: anything(maxKeys) })).toThrow(
      misuse(`maxKeys must be a positive integer, got ${shown}`),
    )
  })

  test('a clock that is no function', () => {
    expect(() => memoryStore({ clock: anything(5) })).toThrow(
      misuse('clock must be a function, got 5'),
    )
  })

  test.each([
    [Number.NaN, 'NaN'],
    [1.5, '1.5'],
    [-1, '-1'],
    [2 ** 53, '9007199254740992'],
    [new Date(0), 'an object'],
    ['1', '"1"'],
  ])('a clock that returns %o, at the decision', async (time, shown) => {
    const opened = memoryStore({ clock: () => anything(time) })
    const timed = createLimiter({ store: opened, policies: { api: tally(1) } })
    await expect(timed.consume('k')).rejects.toThrow(
      misuse(`clock must return whole microseconds since 1970, got ${shown}`),
    )
  })

  test('a clock that fails, as what it is', async () => {
    const cause = new Error('no time')
    const clock = (): number => {
      throw cause
    }
    const timed = createLimiter({ store: memoryStore({ clock }), policies: { api: tally(1) } })
    await expect(timed.consume('k')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', cause })
  })
})

describe('consume, peek and reset refuse, before anything is sent:', () => {
  const badKeys: readonly [unknown, string][] = [
    ['', 'key must be a non-empty string, got ""'],
    [undefined, 'key must be a non-empty string, or one for each policy, got undefined'],
    [null, 'key must be a non-empty string, or one for each policy, got null'],
    [42, 'key must be a non-empty string, or one for each policy, got 42'],
    [['a'], 'key.api must be a non-empty string, got undefined'],
    [{}, 'key.api must be a non-empty string, got undefined'],
    [{ api: 7 }, 'key.api must be a non-empty string, got 7'],
    [{ api: '' }, 'key.api must be a non-empty string, got ""'],
    ['\ud800', 'key must not contain a lone surrogate, got "\\ud800"'],
    ['user:\udc00!', 'key must not contain a lone surrogate, got "user:\\udc00!"'],
    [{ api: '\udbffa' }, 'key.api must not contain a lone surrogate, got "\\udbffa"'],
  ]

  test.each(badKeys)('key %j', async (key, message) => {
    for (const method of ['consume', 'peek', 'reset'] as const) {
      await nothingSent(() => limiter[method](anything(key)), message)
    }
  })

  const badCosts: readonly [unknown, string][] = [
    [0, '0'],
    [-1, '-1'],
    [0.5, '0.5'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [2 ** 53, '9007199254740992'],
    ['1', '"1"'],
    [1n, '1n'],
    [null, 'null'],
    [true, 'true'],
  ]

  test.each(badCosts)('cost %o', async (cost, shown) => {
    await nothingSent(
      () => limiter.consume('k', anything(cost)),
      `cost must be a positive integer, got ${shown}`,
    )
  })

  test.each(badCosts.filter(([cost]) => cost !== null))(
    'cost by policy %o',
    async (cost, shown) => {
      await nothingSent(
        () => both.consume('k', { requests: 1, tokens: anything(cost) }),
        `cost.tokens must be a positive integer, got ${shown}`,
      )
    },
  )

  test('a cost that leaves a policy out', async () => {
    await nothingSent(
      () => both.consume('k', anything({ requests: 1 })),
      'cost.tokens must be a positive integer, got undefined',
    )
  })

  test('a cost above what the rule can store, with its advice', async () => {
    await nothingSent(
      () => both.consume('k', 1001),
      'cost must be at most 1000 (take the compact one), got 1001',
    )
    await nothingSent(
      () => both.consume('k', { requests: 1, tokens: 1001 }),
      'cost.tokens must be at most 1000 (take the compact one), got 1001',
    )
  })

  test('a long value is shown by its beginning', async () => {
    await nothingSent(
      () => limiter.consume(`${'x'.repeat(500)}\ud800`),
      `key must not contain a lone surrogate, got "${'x'.repeat(60)}…"`,
    )
  })
})

test('a pair of surrogates, a brace, a line feed or a NUL in a key is no misuse', async () => {
  for (const key of ['😀', '}{', '\n', '\0', '__proto__']) {
    await expect(limiter.consume(key)).resolves.toMatchObject({ allowed: true })
  }
})

test('every method rejects; none throws while it is called', async () => {
  const calls = [
    limiter.consume(anything('')),
    limiter.peek(anything('')),
    limiter.reset(anything('')),
    limiter.refund(anything({})),
  ]
  for (const call of calls) await expect(call).rejects.toBeInstanceOf(SpillwayError)
})

async function nothingSent(call: () => Promise<unknown>, message: string): Promise<void> {
  const before = store.calls
  await expect(call()).rejects.toThrow(misuse(message))
  expect(store.calls).toBe(before)
}

function misuse(message: string) {
  return expect.objectContaining({ name: 'SpillwayError', code: 'INVALID_ARGUMENT', message })
}

test('createLimiter() without options says what it needs', () => {
  const bare = createLimiter as unknown as () => unknown
  expect(bare).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      message: 'options must be an object with a store and policies, got undefined',
    }),
  )
})

test.each<[string, () => unknown, string]>([
  ['withTimeout', () => withTimeout(anything(undefined), 50), 'store'],
  ['withFallback', () => withFallback(anything({}), memoryStore()), 'store'],
  ['withFallback', () => withFallback(memoryStore(), anything(undefined)), 'other'],
  ['allowOnFailure', () => allowOnFailure(anything(null)), 'store'],
  ['denyOnFailure', () => denyOnFailure(anything('redis')), 'store'],
  ['denyCache', () => denyCache(anything(undefined)), 'store'],
])('%s refuses what is no store', (_, wrap, option) => {
  expect(wrap).toThrow(new RegExp(`^${option} must be a store, such as memoryStore\\(\\), got `))
})
