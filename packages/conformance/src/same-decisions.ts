import type { Policy } from '@spillway/core'
import { drive, openAt } from './drive.js'
import { expectThat } from './expect-that.js'
import { forAll } from './for-all.js'
import type { Law } from './law.js'
import { histories } from './steps.js'

/**
 * The law that one algorithm decides as another one does, of which it is a cheaper form: equal
 * answers, after refunds too, on random histories with costs.
 *
 * @param others for each policy of the subject, the one it must equal
 */
export function sameDecisionsAs(others: readonly Policy[]): Law {
  return forAll(
    { number: 6, name: 'decides as the algorithm does of which it is another form', share: 2 },
    (policy) => histories(policy, { giveBack: true }),
    async ({ start, steps }, policy, { store, policies }) => {
      const other = others[policies.indexOf(policy)]
      expectThat(other !== undefined, 'each policy has one to be compared with')
      const [opened, clock] = openAt(store, start)
      const own = drive(opened, clock, policy)
      const [otherOpened, otherClock] = openAt(store, start)
      const model = drive(otherOpened, otherClock, other)
      for (const step of steps) {
        const { receipt: _, ...expected } = (await model.take(step)) ?? {}
        const { receipt: __, ...answer } = (await own.take(step)) ?? {}
        expectThat(
          JSON.stringify(answer) === JSON.stringify(expected),
          `"${step.do}" answers ${JSON.stringify(expected)}, not ${JSON.stringify(answer)}`,
        )
      }
    },
  )
}
