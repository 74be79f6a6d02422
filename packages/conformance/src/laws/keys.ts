import { createLimiter } from '@spillway/core'
import * as fc from 'fast-check'
import { freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'

/** Law 10. */
export const keysAreOpaque: Law = forAll(
  {
    number: 10,
    name: 'any two different keys are two identities, whatever is in them',
    share: 0.6,
  },
  () =>
    fc
      .tuple(
        awkwardKeys(),
        awkwardKeys(),
        fc.shuffledSubarray([...lookalikes], { minLength: 2, maxLength: 5 }),
      )
      .map(([one, two, some]) => [...new Set([one, ...some.map((like) => like(one)), two])]),
  async (keys, policy, { store }) => {
    const [opened] = openAt(store, 1_800_000_000_000_000)
    const policies = { policy, 'a.second-one_': policy }
    // The prefix sets this run apart; a prefix of the key would hide what its first letter does.
    const prefix = freshKey().replace(/[^a-z0-9]/g, '.')
    const limiter = createLimiter({ store: opened, prefix, policies })
    for (const key of keys) {
      const { allowed, remaining } = await limiter.consume(key)
      const left = policy.capacity - 1
      expectThat(
        allowed && remaining === left,
        `the first request of ${JSON.stringify(key)} leaves ${left}, not ${remaining}`,
      )
    }
    await limiter.reset(keys[0]!)
    for (const [i, key] of keys.entries()) {
      const { remaining } = await limiter.peek(key)
      const left = policy.capacity - (i === 0 ? 0 : 1)
      expectThat(
        remaining === left,
        `a reset of ${JSON.stringify(keys[0])} leaves ${left} to ${JSON.stringify(key)}, not ${remaining}`,
      )
    }
  },
)

/** Law 10, where policies have keys of their own and one of them carries the slot. */
export const keyPairsAreOpaque: Law = forAll(
  { number: 10, name: 'any two different pairs of keys are two identities', share: 0.5 },
  () => {
    const part = fc.oneof(fc.constantFrom('}', '}', '%', '%7D', '{', ':'), awkwardKeys(2))
    return fc.tuple(part, part, part)
  },
  async ([a, b, c], policy, { store }) => {
    const [opened] = openAt(store, 1_800_000_000_000_000)
    const prefix = freshKey().replace(/[^a-z0-9]/g, '.')
    const policies = { carrier: policy, other: policy }
    const limiter = createLimiter({ store: opened, prefix, policies, slotBy: 'carrier' })
    const pairs = [
      [a + b, c],
      [a, b + c],
      [a, b],
      [b, a],
    ] as const
    for (const [carrier, other] of new Map(
      pairs.map((pair) => [JSON.stringify(pair), pair]),
    ).values()) {
      const before = await limiter.peek({ carrier, other })
      const { remaining } = before.policies.other
      expectThat(
        remaining === policy.capacity,
        `the key ${JSON.stringify(other)} beside ${JSON.stringify(carrier)} is fresh: ${policy.capacity} left, not ${remaining}`,
      )
      await limiter.consume({ carrier, other })
      const after = await limiter.peek({ carrier, other })
      // With nothing left in the carrier, the pair is denied, and rightly counts nothing.
      const left = before.allowed ? policy.capacity - 1 : policy.capacity
      expectThat(
        after.policies.other.remaining === left,
        `its first request leaves ${left}, not ${after.policies.other.remaining}`,
      )
    }
  },
)

/** What a careless store or escape would take for the same key. */
const lookalikes: readonly ((key: string) => string)[] = [
  (key) => key.replaceAll('%', '%25'),
  (key) => key.replaceAll('}', '%7D'),
  (key) => key.replaceAll('%25', '%'),
  (key) => key.replaceAll('%7D', '}'),
  (key) => key.replaceAll(/[{}]/g, '*'),
  (key) => `{${key}}`,
  (key) => `${key}}`,
  (key) => ` ${key}`,
  (key) => `${key}\0`,
  (key) => key.toUpperCase(),
  (key) => key.normalize('NFD'),
]

/** Strings made of what means something to Redis, to its slots, to patterns and to our own format. */
function awkwardKeys(maxParts = 6): fc.Arbitrary<string> {
  const parts = [
    '{',
    '}',
    '}',
    '}',
    '{}',
    '%',
    '%',
    '%7D',
    '%7D',
    '%25',
    '*',
    '?',
    '[a]',
    ':',
    '\\',
    ' ',
    '\n',
    '\r\n',
    '\0',
    'a',
    'é',
    '😀',
    '__proto__',
  ]
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .array(fc.constantFrom(...parts), { minLength: 1, maxLength: maxParts, size: 'max' })
        .map((list) => list.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }) },
  )
}
