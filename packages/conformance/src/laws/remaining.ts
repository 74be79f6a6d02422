import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories } from '../steps.js'

/** Law 4: that numbers are legal is checked on every decision of every law; here, that they are true. */
export const remainingIsTrue: Law = forAll(
  { number: 4, name: 'exactly what remains is allowed at once, and not a unit more' },
  (policy) => histories(policy, { giveBack: true, charge: true }),
  async ({ start, steps }, policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) {
      const event = await driven.take(step)
      if (event === undefined) continue
      const { remaining } = event
      const most = policy.maxCost?.value ?? Number.POSITIVE_INFINITY
      if (remaining > 0 && remaining <= most) {
        const all = await driven.look(remaining)
        expectThat(all.allowed, `with ${remaining} remaining, cost ${remaining} is allowed`)
      }
      if (remaining < Math.min(policy.capacity, most)) {
        const more = await driven.look(remaining + 1)
        expectThat(!more.allowed, `with ${remaining} remaining, cost ${remaining + 1} is denied`)
      }
    }
  },
)
