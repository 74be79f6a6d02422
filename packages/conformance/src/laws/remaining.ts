import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { replayer } from '../replayer.js'
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

/** Law 4: when what is spent comes back. */
export const resetIsTrue: Law = forAll(
  { number: 4, name: 'at the reset more remains; if the rule is exact, not a microsecond earlier' },
  (policy) => histories(policy, { giveBack: true }),
  async ({ start, steps }, policy) => {
    const { algorithm, args, capacity, exact } = policy
    const twin = replayer(policy, start)
    for (const step of steps) {
      await twin.take(step)
      const { remaining, reset } = algorithm.check(twin.state, twin.now, 1, args)
      if (remaining === capacity) continue
      const early = algorithm.check(twin.state, twin.now + reset - 1, 1, args)
      const then = algorithm.check(twin.state, twin.now + reset, 1, args)
      const least = exact ? early.remaining : remaining
      expectThat(
        reset > 0 && then.remaining > least,
        `at the reset after ${reset} µs more than ${least} remain, not ${then.remaining}`,
      )
      expectThat(
        reset === 1 || early.reset === 1,
        `a microsecond before the reset after ${reset} µs the reset is in 1 µs, not ${early.reset}`,
      )
    }
  },
)
