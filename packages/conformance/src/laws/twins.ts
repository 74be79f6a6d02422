import { memoryStore, type Policy } from '@spillway/core'
import * as fc from 'fast-check'
import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, mostCost, type Step } from '../steps.js'

/** Law 6. */
export const twinsAgree: Law = forAll(
  { number: 6, name: 'the store decides as the TypeScript twin does', share: 3 },
  (policy) => fc.tuple(histories(policy, { giveBack: true, charge: true }), fc.boolean()),
  async ([{ start, steps }, indebted], policy, { store }) => {
    const [opened, clock] = openAt(store, start)
    const own = drive(opened, clock, policy)
    const twinClock = { now: start }
    const twin = drive(memoryStore({ clock: () => twinClock.now }), twinClock, policy)
    for (const step of indebted ? [...steps, ...deepDebt(policy)] : steps) {
      const [event, expected] = [await own.take(step), await twin.take(step)]
      expectThat(
        JSON.stringify(event) === JSON.stringify(expected),
        `"${step.do}" answers ${JSON.stringify(expected)}, not ${JSON.stringify(event)}`,
      )
    }
  },
)

/** More debt than is kept, and all of it given back. */
function deepDebt(policy: Policy): readonly Step[] {
  const cost = mostCost(policy)
  return [
    { do: 'charge', cost },
    { do: 'charge', cost },
    { do: 'charge', cost },
    { do: 'give back', which: 'latest', cost },
    { do: 'give back', which: 'latest', cost },
    { do: 'give back', which: 'latest', cost },
  ]
}
