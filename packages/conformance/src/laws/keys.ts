import { createLimiter } from '@spillway/core'
import * as fc from 'fast-check'
import { freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'

/** Law 10. */
export const keysAreOpaque: Law = forAll(
  { number: 10, name: 'any two different keys are two identities, whatever is in them' },
  () => fc.uniqueArray(awkwardKeys(), { minLength: 2, maxLength: 6 }),
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

/** Strings made of what means something to Redis, to its slots, to patterns and to our own format. */
function awkwardKeys(): fc.Arbitrary<string> {
  const parts = [
    '{',
    '}',
    '{}',
    '%',
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
    fc
      .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 })
      .map((list) => list.join('')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  )
}
