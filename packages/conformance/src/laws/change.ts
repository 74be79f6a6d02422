import * as fc from 'fast-check'
import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, refillUs } from '../steps.js'
import { expectWithin } from './bound.js'

/** Law 11. */
export const policyMayChange: Law = forAll(
  {
    number: 11,
    name: 'a changed policy reads the old state sensibly at once, and locks nobody for longer than the longer window',
  },
  (policy, policies) =>
    fc
      .nat(policies.length - 1)
      .chain((index) =>
        fc.tuple(fc.constant(index), histories(policy), histories(policies[index]!)),
      ),
  async ([index, before, after], policy, { store, policies }) => {
    const next = policies[index]!
    const [opened, clock] = openAt(store, before.start)
    const old = drive(opened, clock, policy)
    for (const step of before.steps) await old.take(step)
    const driven = drive(opened, clock, next, old.key)
    const longest = Math.max(
      ...[policy, next].map((one) => Math.max(refillUs(one), one.windowMs * 1000)),
    )
    const { wait } = await driven.look(1)
    expectThat(wait <= longest, `the change locks for at most ${longest} µs, not ${wait}`)
    if (wait > 0) {
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
