import type { Policy } from '@spillway/core'
import * as fc from 'fast-check'
import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories } from '../steps.js'
import { expectWithin } from './bound.js'

/** Law 11. */
export const policyMayChange: Law = forAll(
  {
    number: 11,
    name: 'a changed policy reads the old state sensibly at once, and locks nobody for longer than the longer window',
  },
  (policy, policies) =>
    fc
      .constantFrom(
        ...[...policies.keys()].filter((i) => policies[i]!.algorithm === policy.algorithm),
      )
      .chain((index) =>
        fc.tuple(fc.constant(index), histories(policy), histories(policies[index]!)),
      ),
  async ([index, before, after], policy, { store, policies }) => {
    const next = policies[index]!
    const [opened, clock] = openAt(store, before.start)
    const old = drive(opened, clock, policy)
    for (const step of before.steps) await old.take(step)
    const driven = drive(opened, clock, next, old.key)
    const longest = Math.max(lockUs(policy), lockUs(next))
    const { allowed, wait } = await driven.look(1)
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

/** The longest that a policy may lock: until a whole capacity is back; a rule that is not exact may take a window more. */
function lockUs({ capacity, limit, windowMs, exact }: Policy): number {
  return (Math.ceil(capacity / limit) + (exact ? 0 : 1)) * windowMs * 1000
}
