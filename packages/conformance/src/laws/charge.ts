import * as fc from 'fast-check'
import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, mostCost, refillUs } from '../steps.js'
import { lockUs } from './change.js'

/** Law 4: a charge counts whatever is left, and nothing is ever less than 0. */
export const debtIsBounded: Law = forAll(
  {
    number: 4,
    name: 'a charge counts whatever the rule says; its debt is at most one capacity, and heals',
    share: 0.5,
  },
  (policy) =>
    fc.tuple(histories(policy, { charge: true, giveBack: true }), fc.integer({ min: 1, max: 5 })),
  async ([{ start, steps }, charges], policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) await driven.take(step)
    const cost = mostCost(policy)
    for (let i = 0; i < charges; i++) {
      const before = await driven.look(1)
      const { remaining } = await driven.decide('charge', cost)
      const left = Math.max(0, before.remaining - cost)
      expectThat(remaining === left, `a charge of ${cost} leaves ${left}, not ${remaining}`)
    }
    const { wait } = await driven.look(1)
    const most = 2 * lockUs(policy)
    expectThat(wait <= most, `the debt is paid after at most ${most} µs, not ${wait}`)
    const healed = 3 * Math.max(refillUs(policy), policy.windowMs * 1000)
    const { remaining } = await driven.look(1, driven.clock.now + healed)
    expectThat(
      remaining === policy.capacity,
      `after ${healed} µs all ${policy.capacity} are back, not ${remaining}`,
    )
  },
)
