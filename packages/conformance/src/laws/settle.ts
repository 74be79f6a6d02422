import { createLimiter } from '@spillway/core'
import * as fc from 'fast-check'
import { companion } from '../companion.js'
import { freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { mostCost } from '../steps.js'

/** Law 7, for estimates: less gives the rest back, more is charged. */
export const settledCountsActual: Law = forAll(
  {
    number: 7,
    name: 'a settled reservation has counted its actual cost, once, by each of its policies',
    share: 0.3,
  },
  (policy) =>
    fc.record({
      estimate: fc.integer({ min: 1, max: mostCost(policy) }),
      actual: fc.oneof(
        fc.integer({ min: 0, max: policy.capacity }),
        fc.integer({ min: 0, max: 3 * policy.capacity }),
      ),
      other: fc.nat(9),
    }),
  async ({ estimate, actual, other }, policy, { store }) => {
    const [opened] = openAt(store, 1_800_000_000_000_000)
    const policies = { own: policy, other: companion(6, 1000) }
    const limiter = createLimiter({ store: opened, prefix: 'laws', policies })
    const key = freshKey()
    const reservation = await limiter.reserve(key, { own: estimate, other: 3 })
    expectThat(reservation.allowed, 'a fresh key has room for the estimate')
    await reservation.settle({ own: actual, other })
    const twice = await reservation.cancel().then(
      () => 'nothing',
      ({ code }: { readonly code?: unknown }) => code,
    )
    expectThat(twice === 'INVALID_ARGUMENT', `to settle it twice is misuse, not ${String(twice)}`)
    const { policies: left } = await limiter.peek(key)
    for (const [remaining, rest] of [
      [left.own.remaining, Math.max(0, policy.capacity - actual)],
      [left.other.remaining, Math.max(0, 6 - other)],
    ]) {
      expectThat(
        remaining === rest,
        `of estimates ${estimate} and 3, settled at ${actual} and ${other}, ${rest} are left, not ${remaining}`,
      )
    }
  },
)
