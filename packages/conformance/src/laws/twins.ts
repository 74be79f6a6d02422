import { memoryStore, type Policy } from '@spillway/core'
import * as fc from 'fast-check'
import { drive, freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, mostCost, type Step, type StepKinds, sameRule } from '../steps.js'

/** Law 6. */
export const twinsAgree: Law = forAll(
  { number: 6, name: 'the store decides as the TypeScript twin does', share: 3 },
  (policy, policies) =>
    sameRule(policy, policies).chain((index) =>
      fc.tuple(
        fc.constant(index),
        histories(policy, kinds),
        histories(policies[index]!, kinds),
        fc.boolean(),
      ),
    ),
  async ([index, { start, steps }, after, indebted], policy, { store, policies }) => {
    const next = policies[index]!
    const [opened, clock] = openAt(store, start)
    const twinClock = { now: start }
    const twinOpened = memoryStore({ clock: () => twinClock.now })
    const key = freshKey()
    const half = (one: readonly Step[]) => one.slice(0, 20)
    for (const [rule, taken] of [
      [policy, indebted ? [...half(steps), ...deepDebt(policy)] : half(steps)],
      [next, half(after.steps)],
    ] as const) {
      const own = drive(opened, clock, rule, key)
      const twin = drive(twinOpened, twinClock, rule, key)
      for (const step of taken) {
        const [event, expected] = [await own.take(step), await twin.take(step)]
        expectThat(
          JSON.stringify(event) === JSON.stringify(expected),
          `"${step.do}" answers ${JSON.stringify(expected)}, not ${JSON.stringify(event)}`,
        )
      }
    }
  },
)

const kinds: StepKinds = { giveBack: true, charge: true, stepBack: true }

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
