import * as fc from 'fast-check'
import { type Driven, drive, freshGroup, keyOf, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { replayer } from '../replayer.js'
import { histories, mostCost, type Step } from '../steps.js'

/** Law 3, by what can be seen. */
export const denialCostsNothing: Law = forAll(
  {
    number: 3,
    name: 'a denial and a look cost nothing: without them everything goes on the same',
    share: 0.5,
  },
  (policy) => histories(policy, { giveBack: true }),
  async ({ start, steps }, policy, { store }) => {
    const [opened, clock] = openAt(store, start)
    const all = drive(opened, clock, policy)
    const counted = drive(opened, clock, policy)
    for (const step of steps) {
      const event = await all.take(step)
      if (event !== undefined && event.mode !== 'look' && event.allowed) await counted.take(step)
      await expectSame(all, counted, mostCost(policy))
    }
  },
)

/** Law 3, by the state itself: what is judged is not touched. */
export const judgingChangesNothing: Law = forAll(
  { number: 3, name: 'judging leaves a state as it is, whenever it is judged', share: 0.5 },
  (policy) =>
    fc.tuple(
      histories(policy, { giveBack: true, charge: true, stepBack: true }),
      fc.integer({ min: -1, max: 3 }),
    ),
  async ([{ start, steps }, windows], policy) => {
    const twin = replayer(policy, start)
    for (const step of steps) {
      await twin.take(step)
      const before = JSON.stringify(twin.state)
      const at = twin.now + windows * policy.windowMs * 1000
      for (const cost of [1, mostCost(policy)]) {
        policy.algorithm.check(twin.state, at, cost, policy.args)
        const after = JSON.stringify(twin.state)
        expectThat(before === after, `a check leaves the state ${before}, not ${after}`)
      }
    }
  },
)

/** Law 3, by the store's own count of its changes. */
export const denialWritesNothing: Law = forAll(
  { number: 3, name: 'a denial and a look write nothing', share: 0.3, needs: 'inspect' },
  (policy) => histories(policy),
  async ({ start, steps }, policy, { store }) => {
    const inspect = store.inspect!
    const driven = drive(...openAt(store, start), policy)
    const late: Step[] = [
      { do: 'wait', us: policy.windowMs * 1000 },
      { do: 'look', cost: 1 },
    ]
    for (const step of [...steps, ...late]) {
      const before = await inspect.changes()
      const event = await driven.take(step)
      if (event === undefined || (event.mode !== 'look' && event.allowed)) continue
      const written = (await inspect.changes()) - before
      expectThat(
        written === 0,
        `a denied or looked-at request writes nothing, not ${written} times`,
      )
    }
  },
)

/** Law 3 for several policies together, which is the half of law 8 that matters most. */
export const allOrNothing: Law = forAll(
  { number: 3, name: 'what one policy denies, no policy counts', share: 0.5 },
  (policy) => histories(policy),
  async ({ start, steps }, policy, { store, policies }) => {
    const other = policies[(policies.indexOf(policy) + 1) % policies.length]!
    const [opened, clock] = openAt(store, start)
    const group = freshGroup()
    const one = drive(opened, clock, policy, keyOf('one', group))
    const two = drive(opened, clock, other, keyOf('two', group))
    for (const step of steps) {
      if (step.do !== 'consume') {
        await one.take(step)
        continue
      }
      const before = [await one.look(1), await two.look(1)]
      const twoCost = Math.min(step.cost, mostCost(other))
      const ruling = await opened.decide({
        mode: 'consume',
        targets: [
          { policy, key: one.key, cost: step.cost },
          { policy: other, key: two.key, cost: twoCost },
        ],
      })
      const own = ruling.targets.every(({ allowed }) => allowed)
      expectThat(
        ruling.allowed === own,
        'a request is allowed if and only if every policy allows it',
      )
      const after = [await one.look(1), await two.look(1)]
      if (!ruling.allowed) {
        expectThat(
          JSON.stringify(before) === JSON.stringify(after),
          `a denied request changes nothing: ${JSON.stringify(before)} is not ${JSON.stringify(after)}`,
        )
        ruling.targets.forEach((target, i) => {
          expectThat(
            target.remaining === before[i]!.remaining,
            `policy ${i + 1} of a denied request reports what is truly left, ${before[i]!.remaining}, not ${target.remaining}`,
          )
        })
      }
    }
  },
)

async function expectSame(one: Driven, other: Driven, most: number): Promise<void> {
  for (const cost of new Set([1, most])) {
    const [a, b] = [await one.look(cost), await other.look(cost)]
    expectThat(
      JSON.stringify(a) === JSON.stringify(b),
      `with and without denials and looks, cost ${cost} meets the same: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`,
    )
  }
}
