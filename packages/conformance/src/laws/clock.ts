import * as fc from 'fast-check'
import { type Admission, drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, refillUs } from '../steps.js'
import { expectWithin } from './bound.js'

/** Law 9. */
export const stepBackAdmitsNothing: Law = forAll(
  { number: 9, name: 'a clock that steps back by S admits nothing extra and delays by at most S' },
  (policy) =>
    fc.tuple(histories(policy), histories(policy), fc.integer({ min: 1, max: refillUs(policy) })),
  async ([before, after, back], policy, { store }) => {
    const driven = drive(...openAt(store, before.start), policy)
    for (const step of before.steps) await driven.take(step)
    const admitted: Admission[] = driven.admissions.map((one) => ({ ...one }))
    const steady = await driven.look(1)
    driven.clock.now -= back
    const late = await driven.look(1)
    expectThat(
      late.wait <= steady.wait + back,
      `after a step of ${back} µs the wait is at most ${steady.wait + back} µs, not ${late.wait}`,
    )
    for (const step of after.steps) {
      const event = await driven.take(step)
      if (event === undefined || event.mode === 'look' || !event.allowed) continue
      const trueTime = event.at + back
      admitted.push({ at: trueTime, cost: event.cost, net: event.cost, receipt: 0 })
      expectWithin(policy, admitted)
    }
  },
)

/** Law 9. */
export const farAheadIsEmpty: Law = forAll(
  { number: 9, name: 'a state from further ahead than the rule can explain reads as empty' },
  (policy) =>
    fc.tuple(
      histories(policy, { charge: true }),
      fc.integer({
        min: 4 * Math.max(refillUs(policy), policy.windowMs * 1000),
        max: 31_536_000_000_000 * 2,
      }),
    ),
  async ([{ start, steps }, back], policy, { store }) => {
    const driven = drive(...openAt(store, start), policy)
    for (const step of steps) await driven.take(step)
    driven.clock.now = (driven.admissions.at(-1)?.at ?? start) - back
    const { remaining } = await driven.look(1)
    expectThat(
      remaining === policy.capacity,
      `after a step back of ${back} µs the key is fresh: ${policy.capacity} left, not ${remaining}`,
    )
    const counted = await driven.decide('consume', 1)
    expectThat(counted.allowed, 'and it counts again')
    const left = await driven.look(1)
    expectThat(
      left.remaining === policy.capacity - 1,
      `from there on: ${policy.capacity - 1} left, not ${left.remaining}`,
    )
  },
)
