import * as fc from 'fast-check'
import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories } from '../steps.js'
import { wouldBreak } from './bound.js'

/** Law 2, for every algorithm. */
export const exactWait: Law = forAll(
  {
    number: 2,
    name: 'a denied cost stays denied at every instant of its wait and is allowed at the end of it',
  },
  (policy) =>
    fc.tuple(
      histories(policy, { giveBack: true, charge: true }),
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 3 }),
    ),
  async ([{ start, steps }, fractions], policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) {
      const event = await driven.take(step)
      if (event === undefined || event.allowed) continue
      const { at, cost, wait } = event
      for (const fraction of [...fractions, 1 - 1 / wait]) {
        const after = Math.floor(fraction * wait)
        const early = await driven.look(cost, at + after)
        expectThat(
          !early.allowed,
          `cost ${cost}, told to wait ${wait} µs, is denied after ${after}`,
        )
        const left = wait - after
        expectThat(
          early.wait === left,
          `after ${after} of ${wait} µs the wait is ${left} µs, not ${early.wait}`,
        )
      }
      const inTime = await driven.look(cost, at + wait)
      expectThat(inTime.allowed, `cost ${cost}, told to wait ${wait} µs, is allowed after them`)
    }
  },
)

/** Law 2, for an algorithm that calls itself exact. */
export const onlyNeededDenials: Law = forAll(
  { number: 2, name: 'an exact algorithm denies only what would break its promise' },
  (policy) => histories(policy),
  async ({ start, steps }, policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) {
      const event = await driven.take(step)
      if (event === undefined || event.allowed || !policy.exact) continue
      expectThat(
        wouldBreak(policy, driven.admissions, event.at, event.cost),
        `cost ${event.cost} is allowed, since the promise bears it`,
      )
    }
  },
)
