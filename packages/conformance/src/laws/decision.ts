import { createLimiter } from '@spillway/core'
import * as fc from 'fast-check'
import { freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { mostCost } from '../steps.js'

/** Law 2, in the limiter's words: milliseconds, and one policy that speaks for all. */
export const retryAfterIsExact: Law = forAll(
  {
    number: 2,
    name: 'a limiter denies until retryAfterMs, rounded up, and speaks for the policy that matters',
    share: 0.3,
  },
  (policy) =>
    fc.array(
      fc.record({
        cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: mostCost(policy) })),
        us: fc.nat(policy.windowMs * 500),
      }),
      { minLength: 1, maxLength: 12, size: 'max' },
    ),
  async (requests, policy, { store, policies }) => {
    const other = policies[(policies.indexOf(policy) + 1) % policies.length]!
    const [opened, clock] = openAt(store, 1_800_000_000_000_000)
    const limiter = createLimiter({
      store: opened,
      prefix: 'laws',
      policies: { one: policy, two: other },
    })
    const key = freshKey()
    for (const { cost, us } of requests) {
      clock.now += us
      const costs = { one: cost, two: Math.min(cost, mostCost(other)) }
      const decision = await limiter.consume(key, costs)
      const { one, two } = decision.policies
      if (decision.allowed) {
        const least = Math.min(one.remaining, two.remaining)
        expectThat(
          decision.remaining === least,
          `an allowed request tells the least that is left, ${least}, not ${decision.remaining}`,
        )
        continue
      }
      const { retryAfterMs } = decision
      expectThat(
        retryAfterMs !== null && retryAfterMs > 0,
        `cost ${cost} fits some day, so retryAfterMs is above 0, not ${retryAfterMs}`,
      )
      clock.now += (retryAfterMs - 1) * 1000
      const early = await limiter.consume(key, costs)
      expectThat(
        !early.allowed && early.retryAfterMs === 1,
        `a millisecond before the ${retryAfterMs} ms are over, it is denied for another one`,
      )
      clock.now += 1000
      const inTime = await limiter.consume(key, costs)
      expectThat(inTime.allowed, `after the ${retryAfterMs} ms it is allowed`)
    }
  },
)
