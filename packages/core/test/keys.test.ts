import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLimiter, memoryStore } from '../src/index.js'
import { storeKey } from '../src/store-key.js'
import { spyStore } from './spy-store.js'
import { tally } from './tally.js'

const policies = { user: tally(5), ip: tally(5) }
type Options = { readonly prefix?: string; readonly slotBy?: 'user' | 'ip' }

/** The stored keys of a request, and of a reset, which must be the same. */
async function storedKeys(
  key: string | { readonly user: string; readonly ip: string },
  options: Options = {},
): Promise<readonly string[]> {
  const store = spyStore()
  const limiter = createLimiter({ store, policies, ...options })
  await limiter.consume(key)
  await limiter.peek(key)
  await limiter.reset(key)
  const [consumed, peeked] = store.requests.map(({ targets }) => targets.map(({ key: own }) => own))
  expect(peeked).toEqual(consumed)
  expect(store.forgotten).toEqual(consumed)
  return store.forgotten
}

describe('a stored key', () => {
  test('is prefix:policy:algorithm:{key}', async () => {
    expect(await storedKeys('42')).toEqual(['spillway:user:tally:{42}', 'spillway:ip:tally:{42}'])
    expect(await storedKeys('42', { prefix: 'my.app' })).toEqual([
      'my.app:user:tally:{42}',
      'my.app:ip:tally:{42}',
    ])
  })

  test('takes its own key by policy, each carrying its own slot', async () => {
    expect(await storedKeys({ user: '42', ip: '::1' })).toEqual([
      'spillway:user:tally:{42}',
      'spillway:ip:tally:{::1}',
    ])
  })

  test('carries the slot of the policy named by slotBy, the own key behind it', async () => {
    expect(await storedKeys({ user: '42', ip: '::1' }, { slotBy: 'user' })).toEqual([
      'spillway:user:tally:{42}',
      'spillway:ip:tally:{42}::1',
    ])
    expect(await storedKeys({ user: '42', ip: '::1' }, { slotBy: 'ip' })).toEqual([
      'spillway:user:tally:{::1}42',
      'spillway:ip:tally:{::1}',
    ])
  })

  test('does not change by slotBy where one key is for all', async () => {
    expect(await storedKeys('42', { slotBy: 'ip' })).toEqual(await storedKeys('42'))
  })

  test('writes } and % inside the braces as %7D and %25, and nothing else', async () => {
    const [stored] = await storedKeys('a}b%c{d:e*?\n😀')
    expect(stored).toBe('spillway:user:tally:{a%7Db%25c{d:e*?\n😀}')
  })
})

const awkward = fc.oneof(
  fc.array(fc.constantFrom('{', '}', '%', '%7D', '%25', ':', 'a', '7D'), {
    minLength: 1,
    maxLength: 6,
  }),
  fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  }),
)
const identity = awkward.map((parts) => parts.join(''))
const head = fc.constantFrom('spillway:a:tally:', 'spillway:b:tally:', 'spillway:a.b:tally:')

test('no two identities share a stored key, with any slots', () => {
  const place = fc.tuple(head, identity, identity)
  fc.assert(
    fc.property(place, place, (one, other) => {
      expect(storeKey(...one) === storeKey(...other)).toBe(one.join('\0') === other.join('\0'))
    }),
    { numRuns: 2000 },
  )
})

test('no identity moves its slot: what stands in the first braces tells the slot identity and no other', () => {
  const tag = (key: string) => key.slice(key.indexOf('{') + 1, key.indexOf('}'))
  fc.assert(
    fc.property(head, head, identity, identity, identity, (one, other, a, b, slot) => {
      expect(tag(storeKey(one, a, slot))).toBe(tag(storeKey(other, b, slot)))
      expect(tag(storeKey(one, a)) === tag(storeKey(other, b))).toBe(a === b)
      expect(tag(storeKey(one, a, slot))).not.toBe('')
    }),
    { numRuns: 1000 },
  )
})

test('a policy with a key of its own counts by that key alone', async () => {
  const limiter = createLimiter({ store: memoryStore(), policies })
  await limiter.consume({ user: '1', ip: 'x' })
  const { policies: counts } = await limiter.peek({ user: '2', ip: 'x' })
  expect(counts).toMatchObject({ user: { remaining: 5 }, ip: { remaining: 4 } })
})

test('with slotBy the other policies count apart for each key that carries the slot', async () => {
  const limiter = createLimiter({ store: memoryStore(), policies, slotBy: 'user' })
  await limiter.consume({ user: '1', ip: 'x' })
  const { policies: counts } = await limiter.peek({ user: '2', ip: 'x' })
  expect(counts).toMatchObject({ user: { remaining: 5 }, ip: { remaining: 5 } })
})

test('a reset forgets this key in every policy, and no other key', async () => {
  const limiter = createLimiter({ store: memoryStore(), policies })
  await limiter.consume('a', 5)
  await limiter.consume('b', 5)
  await limiter.reset('a')
  expect(await limiter.peek('a')).toMatchObject({ remaining: 5 })
  expect(await limiter.peek('b')).toMatchObject({ remaining: 0 })
})

test('a key that was cut from a long text does not keep that alive', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const limiter = createLimiter({ store: memoryStore({ maxKeys: 10 }), policies })
  const used = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let i = 0; i < 40; i++) {
    const body = `${i}`.padEnd(1_000_000, `${'é'.repeat(i + 1)}x`)
    await limiter.consume(body.slice(500_000, 500_032))
    await limiter.consume(`%${body.slice(600_000, 600_032)}`)
  }
  expect(used() - before).toBeLessThan(10_000_000)
})
