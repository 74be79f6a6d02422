import { memoryStore } from '@spillway/core'
import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories } from '../steps.js'

/** Law 6. */
export const twinsAgree: Law = forAll(
  { number: 6, name: 'the store decides as the TypeScript twin does', share: 4 },
  (policy) => histories(policy, { giveBack: true, charge: true }),
  async ({ start, steps }, policy, { store }) => {
    const [opened, clock] = openAt(store, start)
    const own = drive(opened, clock, policy)
    const twinClock = { now: start }
    const twin = drive(memoryStore({ clock: () => twinClock.now }), twinClock, policy)
    for (const step of steps) {
      const [event, expected] = [await own.take(step), await twin.take(step)]
      expectThat(
        JSON.stringify(event) === JSON.stringify(expected),
        `"${step.do}" answers ${JSON.stringify(expected)}, not ${JSON.stringify(event)}`,
      )
    }
  },
)
