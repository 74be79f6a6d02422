import { createLimiter, memoryStore, type Policy } from '@spillway/core'
import * as fc from 'fast-check'
import { drive, freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, mostCost, sameRule } from '../steps.js'
import { expectWithin } from './bound.js'

/** Law 11. */
export const policyMayChange: Law = forAll(
  {
    number: 11,
    name: 'a changed policy reads the old state sensibly at once, and locks nobody for longer than the longer window',
  },
  (policy, policies) =>
    sameRule(policy, policies).chain((index) =>
      fc.tuple(fc.constant(index), histories(policy), histories(policies[index]!)),
    ),
  async ([index, before, after], policy, { store, policies }) => {
    const next = policies[index]!
    const [opened, clock] = openAt(store, before.start)
    const old = drive(opened, clock, policy)
    for (const step of before.steps) await old.take(step)
    const used = policy.capacity - (await old.look(1)).remaining
    const driven = drive(opened, clock, next, old.key)
    const longest = Math.max(lockUs(policy), lockUs(next))
    const { allowed, remaining, wait } = await driven.look(1)
    if (onlyCapacity(policy, next) && used <= 2 * next.capacity) {
      const left = Math.max(0, next.capacity - used)
      expectThat(remaining === left, `what is used stays so: ${left} left, not ${remaining}`)
    }
    expectThat(wait <= longest, `the change locks for at most ${longest} µs, not ${wait}`)
    if (!allowed) {
      const early = await driven.look(1, clock.now + wait - 1)
      const inTime = await driven.look(1, clock.now + wait)
      expectThat(
        !early.allowed && inTime.allowed,
        `after the change the wait of ${wait} µs is exact`,
      )
    }
    for (const step of after.steps) {
      await driven.take(step)
      expectWithin(next, driven.admissions)
    }
  },
)

/** Law 11, for what changes from call to call. */
export const policyMayChangeByCall: Law = forAll(
  {
    number: 11,
    name: 'policies of single calls, and replaced ones, are decided as memory decides them',
    share: 0.3,
  },
  (policy, policies) => {
    const some = policies.filter(({ algorithm }) => algorithm === policy.algorithm)
    return fc.array(
      fc.record({
        index: fc.nat(some.length - 1).map((index) => policies.indexOf(some[index]!)),
        how: fc.constantFrom('call', 'call', 'replace'),
        cost: fc.oneof(fc.constant(1), fc.nat(100)),
        us: fc.oneof(fc.constant(0), fc.nat(policy.windowMs * 700)),
      }),
      { minLength: 2, maxLength: 15, size: 'max' },
    )
  },
  async (calls, policy, { store, policies }) => {
    const [opened, clock] = openAt(store, 1_800_000_000_000_000)
    const stores = [memoryStore({ clock: () => clock.now }), opened]
    const limiters = stores.map((one) =>
      createLimiter({ store: one, prefix: 'laws', policies: { policy } }),
    )
    const key = freshKey()
    for (const { index, how, cost, us } of calls) {
      clock.now += us
      const next = policies[index]!
      const units = 1 + (cost % mostCost(next))
      const answers: unknown[] = []
      for (const limiter of limiters) {
        if (how === 'replace') limiter.replace({ policy: next })
        const override = how === 'call' ? { policies: { policy: next } } : {}
        const { policies: numbers, ...decision } = await limiter.consume(
          key,
          how === 'call' ? units : 1,
          override,
        )
        expectThat(
          numbers.policy.limit === next.limit,
          `the limit is that of the other policy, ${next.limit}, not ${numbers.policy.limit}`,
        )
        answers.push(decision)
      }
      const [expected, answer] = answers.map((one) => JSON.stringify(one))
      expectThat(answer === expected, `after the change it answers ${expected}, not ${answer}`)
    }
  },
)

/**
 * Whether the two differ in nothing but how much they hold. What is used then goes on as it was,
 * unless it is more than the smaller one explains together with a debt: from there on it may be of a
 * clock that was wrong, and read as empty.
 */
function onlyCapacity(one: Policy, other: Policy): boolean {
  return (
    one.limit === other.limit && one.windowMs === other.windowMs && one.capacity !== other.capacity
  )
}

/** The longest that a policy may lock: until a whole capacity is back; a rule that is not exact may take a window more. */
export function lockUs({ capacity, limit, windowMs, exact }: Policy): number {
  return (Math.ceil(capacity / limit) + (exact ? 0 : 1)) * windowMs * 1000
}
