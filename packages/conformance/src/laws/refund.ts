import { createLimiter } from '@spillway/core'
import * as fc from 'fast-check'
import { drive, freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, mostCost } from '../steps.js'

/** Law 7: that refunds keep the promise is checked with law 1, legal numbers with every decision. */
export const refundUndoes: Law = forAll(
  { number: 7, name: 'a refund in the same instant undoes its request' },
  (policy) =>
    fc.tuple(histories(policy, { giveBack: true }), fc.integer({ min: 1, max: mostCost(policy) })),
  async ([{ start, steps }, cost], policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) await driven.take(step)
    const before = await driven.look(1)
    const { allowed, receipt } = await driven.decide('consume', cost)
    if (!allowed) return
    const part = Math.ceil(cost / 2)
    const rest = await driven.decide('giveBack', part, { receipt })
    if (cost > part) await driven.decide('giveBack', cost - part, { receipt: rest.receipt })
    const after = await driven.look(1)
    expectThat(
      JSON.stringify(before) === JSON.stringify(after),
      `consuming ${cost} and giving it back leaves ${JSON.stringify(before)}, not ${JSON.stringify(after)}`,
    )
  },
)

/** Law 7, through the limiter, which keeps the book of what was given back. */
export const refundOnce: Law = forAll(
  { number: 7, name: 'a decision is given back at most once', share: 0.3 },
  (policy) =>
    fc.tuple(
      fc.integer({ min: 1, max: mostCost(policy) }),
      fc.integer({ min: 1, max: mostCost(policy) }),
    ),
  async ([first, second], policy, { store }) => {
    const [opened] = openAt(store, 1_800_000_000_000_000)
    const limiter = createLimiter({ store: opened, prefix: 'laws', policies: { policy } })
    const key = freshKey()
    await limiter.consume(key, first)
    const decision = await limiter.consume(key, second)
    if (!decision.allowed) return
    await Promise.all([limiter.refund(decision), limiter.refund(decision)])
    await limiter.refund(decision)
    const { remaining } = await limiter.peek(key)
    const left = policy.capacity - first
    expectThat(
      remaining === left,
      `of cost ${first} and ${second} the second is given back: ${left} left, not ${remaining}`,
    )
  },
)

/** Law 7 and 5: a refund never makes a key that stays for ever. */
export const refundLeavesTtl: Law = forAll(
  { number: 7, name: 'a late refund leaves no key without a TTL', share: 0.3 },
  (policy) => histories(policy),
  async ({ start, steps }, policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) await driven.take(step)
    const { inspect } = store
    const keys = [driven.key, freshKey()]
    for (const key of keys) {
      const one = driven.admissions[0]
      const late = drive(...openAt(store, driven.clock.now), policy, key)
      await late.decide('giveBack', one?.cost ?? 1, { receipt: one?.receipt ?? start })
      const { remaining } = await late.look(1)
      if (key !== driven.key) {
        expectThat(
          remaining === policy.capacity,
          `a refund on a key never seen leaves it fresh: ${policy.capacity} left, not ${remaining}`,
        )
      }
      const ttlMs = await inspect?.ttlMs(key)
      expectThat(
        ttlMs !== Number.POSITIVE_INFINITY,
        'the key has a TTL after the refund, or is gone',
      )
    }
  },
)
