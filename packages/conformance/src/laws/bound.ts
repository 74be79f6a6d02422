import type { Policy } from '@spillway/core'
import { type Admission, drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories } from '../steps.js'

/** Law 1. */
export const bound: Law = forAll(
  { number: 1, name: 'no interval admits more than the policy promises, refunds taken off' },
  (policy) => histories(policy, { giveBack: true }),
  async ({ start, steps }, policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) {
      await driven.take(step)
      expectWithin(policy, driven.admissions)
    }
  },
)

/**
 * Checks the promise by brute force, over every interval that ends with the latest admission:
 * the shortest half-open interval with two times in it is one microsecond longer than their
 * distance.
 */
export function expectWithin(policy: Policy, admissions: readonly Admission[]): void {
  const last = admissions.at(-1)
  if (last === undefined) return
  let net = 0
  for (const { at, net: own } of admissions.toReversed()) {
    net += own
    const interval = last.at - at + 1
    const most = policy.most(interval)
    expectThat(net <= most, `at most ${most} admitted in ${interval} µs, not ${net}`)
  }
}

/** Whether admitting `cost` at `now` would break the promise. */
export function wouldBreak(
  policy: Policy,
  admissions: readonly Admission[],
  now: number,
  cost: number,
): boolean {
  let net = cost
  for (const { at, net: own } of admissions.toReversed()) {
    net += own
    if (net > policy.most(now - at + 1)) return true
  }
  return cost > policy.most(1)
}
