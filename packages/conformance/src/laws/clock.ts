import { systemClock } from '@spillway/core'
import * as fc from 'fast-check'
import { type Admission, type Driven, drive, freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, mostCost, refillUs, type Step } from '../steps.js'
import { expectWithin } from './bound.js'

/** Law 9. */
export const stepBackAdmitsNothing: Law = forAll(
  {
    number: 9,
    name: 'a clock that steps back by S admits nothing extra and delays by at most S',
    share: 2,
  },
  (policy) =>
    fc.tuple(
      histories(policy, { charge: true }),
      histories(policy, { charge: true }),
      fc.integer({ min: 1, max: refillUs(policy) }),
      fc.nat(3).map((one) => one === 3), // in debt little is left to be admitted
    ),
  async ([before, after, back, indebted], policy, { store }) => {
    const driven = drive(...openAt(store, before.start), policy)
    const charge: Step = { do: 'charge', cost: mostCost(policy) }
    const admitted: Admission[] = []
    for (const step of indebted ? [...before.steps, charge, charge, charge] : before.steps) {
      admitted.push(...(await admittedBy(driven, step, 0)))
    }
    const steady = await driven.look(1)
    driven.clock.now -= back
    const late = await driven.look(1)
    expectThat(
      late.wait <= steady.wait + back,
      `after a step of ${back} µs the wait is at most ${steady.wait + back} µs, not ${late.wait}`,
    )
    expectThat(
      late.remaining <= steady.remaining,
      `a step of ${back} µs leaves at most ${steady.remaining}, not ${late.remaining}`,
    )
    for (const step of after.steps) {
      admitted.push(...(await admittedBy(driven, step, back)))
      expectWithin(policy, admitted)
    }
  },
)

/** What a step lets through, on a clock that is behind. A charge takes what is left; its debt, nothing. */
async function admittedBy(driven: Driven, step: Step, behind: number): Promise<Admission[]> {
  const most = step.do === 'charge' ? (await driven.look(1)).remaining : Number.POSITIVE_INFINITY
  const event = await driven.take(step)
  if (event === undefined || event.mode === 'look' || !event.allowed) return []
  const cost = Math.min(event.cost, most)
  return cost === 0 ? [] : [{ at: event.at + behind, cost, net: cost, receipt: 0 }]
}

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

// Clocks that tick in milliseconds may differ by one at each end of an interval.
const toleranceUs = 2000

/**
 * Law 9. The one law about real time: it asks until the store allows again, if that takes no longer
 * than a blink.
 */
export const ownTimeDecides: Law = forAll(
  { number: 9, name: 'by its own time a store counts as real time goes', share: 0.02 },
  (policy) => fc.integer({ min: 1, max: mostCost(policy) }),
  async (cost, policy, { store }) => {
    const key = freshKey()
    const driven = drive(store.open(), { now: 0 }, policy, key)
    const start = systemClock()
    const counted = await driven.decide('consume', cost)
    const left = policy.capacity - cost
    expectThat(
      counted.allowed && counted.remaining === left,
      `of a fresh key ${left} are left, not ${counted.remaining}`,
    )
    const ttlMs = await store.inspect?.ttlMs(key)
    if (ttlMs !== undefined) {
      const needed = counted.reset - (systemClock() - start) - toleranceUs
      expectThat(
        needed <= 0 || (ttlMs ?? 0) * 1000 >= needed,
        `the key is kept until its reset, another ${needed} µs, not ${ttlMs} ms`,
      )
    }
    const again = Math.min(left + 1, mostCost(policy))
    const asked = systemClock()
    const { allowed, wait } = await driven.decide('look', again)
    const told = systemClock()
    if (allowed || wait > 100_000) return
    for (;;) {
      const sent = systemClock()
      const now = await driven.decide('look', again)
      if (now.allowed) break
      expectThat(
        sent - told <= wait + toleranceUs,
        `a wait of ${wait} µs is over after ${sent - told} µs, not going on for ${now.wait} µs`,
      )
    }
    const waited = systemClock() - asked
    expectThat(waited >= wait - toleranceUs, `a wait of ${wait} µs takes as long, not ${waited} µs`)
  },
)
