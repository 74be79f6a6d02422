import { type Mode, memoryStore, type Request, SpillwayError, type Target } from '@spillway/core'
import * as fc from 'fast-check'
import { drive, freshGroup, keyOf, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories, mostCost } from '../steps.js'

/** Law 8. */
export const gatheredEqualsSequential: Law = forAll(
  {
    number: 8,
    name: 'requests made at once are decided as one after another, in their order, whatever the store has cached',
  },
  (policy) => fc.tuple(batches(mostCost(policy)), fc.array(fc.boolean(), { maxLength: 3 })),
  async ([{ waits, requests }, losses], policy, { store, policies }) => {
    const other = policies[(policies.indexOf(policy) + 1) % policies.length]!
    const [opened, clock] = openAt(store, 1_800_000_000_000_000)
    const twin = memoryStore({ clock: () => clock.now })
    const keys = freshKeys()
    const counted: Target[] = []
    for (const [round, batch] of requests.entries()) {
      clock.now += waits[round] ?? 0
      if (losses[round]) await store.inspect?.loseCaches?.()
      const asked = batch.map(({ back, mode, key, cost, of, shadow }): Request => {
        const known = back === undefined ? undefined : counted.splice(back % counted.length, 1)[0]
        if (known !== undefined) return { mode: 'giveBack', targets: [known] }
        const one = { policy, key: keys[key]!.one, cost, ...(shadow && { shadow }) }
        const two = { policy: other, key: keys[key]!.two, cost: Math.min(cost, mostCost(other)) }
        return { mode, targets: of === 'both' ? [one, two] : of === 'one' ? [one] : [two] }
      })
      const answers = await Promise.all(asked.map(async (request) => opened.decide(request)))
      for (const [i, request] of asked.entries()) {
        const expected = JSON.stringify(await twin.decide(request))
        const answer = JSON.stringify(answers[i])
        expectThat(
          answer === expected,
          `request ${i} of ${batch.length} at once answers ${expected}, not ${answer}`,
        )
        if (request.mode === 'giveBack' || request.mode === 'look' || !answers[i]!.allowed) continue
        request.targets.forEach((target, j) => {
          const { allowed, receipt } = answers[i]!.targets[j]!
          if (allowed) counted.push({ ...target, receipt })
        })
      }
    }
  },
)

/** Law 8. */
export const failsAlone: Law = forAll(
  {
    number: 8,
    name: 'a request that fails fails alone, with an error of the store that says whether it may have counted',
    share: 0.3,
    needs: 'inspect',
  },
  (policy) => batches(mostCost(policy)),
  async ({ requests }, policy, { store }) => {
    const inspect = store.inspect!
    const [opened, clock] = openAt(store, 1_800_000_000_000_000)
    const twin = memoryStore({ clock: () => clock.now })
    const keys = freshKeys()
    const bad = keys[0]!.one
    await inspect.spoil(bad)
    const asked = requests.flat().map(({ mode, key, cost, of }): Request => {
      const targets = [{ policy, key: keys[key]!.two, cost }]
      return {
        mode,
        targets:
          of === 'both' || key === 0
            ? [...targets, { policy, key: keys[key]!.one, cost }]
            : targets,
      }
    })
    const answers = await Promise.allSettled(asked.map(async (request) => opened.decide(request)))
    let mayHaveCounted = false
    for (const [i, request] of asked.entries()) {
      const answer = answers[i]!
      if (request.targets.some(({ key }) => key === bad)) {
        expectThat(answer.status === 'rejected', `request ${i} on an unreadable key is rejected`)
        const { reason } = answer
        expectThat(
          reason instanceof SpillwayError &&
            reason.code.startsWith('STORE_') &&
            reason.cause !== undefined,
          `it is rejected with a store's code and a cause, not with ${reason}`,
        )
        if (reason.code === 'STORE_INDETERMINATE') mayHaveCounted = true
        continue
      }
      const expected = JSON.stringify(await twin.decide(request))
      const given =
        answer.status === 'fulfilled' ? JSON.stringify(answer.value) : String(answer.reason)
      expectThat(
        given === expected,
        `request ${i} beside a failing one answers ${expected}, not ${given}`,
      )
    }
    if (mayHaveCounted) return
    const { remaining } = await drive(opened, clock, policy, keys[0]!.two).look(1)
    expectThat(
      remaining === policy.capacity,
      `what fails with STORE_UNAVAILABLE has counted nothing: ${policy.capacity} left, not ${remaining}`,
    )
  },
)

/** Law 8: a shadow is measured, never obeyed. */
export const shadowsDenyNothing: Law = forAll(
  { number: 8, name: 'a shadow denies nothing and counts what it allows', share: 0.3 },
  (policy) => fc.tuple(histories(policy), fc.nat(1), fc.nat(3)),
  async ([{ start, steps }, place, more], policy, { store, policies }) => {
    const other = policies[(policies.indexOf(policy) + 1) % policies.length]!
    const [opened, clock] = openAt(store, start)
    const group = freshGroup()
    const real = drive(opened, clock, policy, keyOf('real', group))
    const shadow = drive(opened, clock, other, keyOf('shadow', group))
    for (const step of steps) {
      if (step.do !== 'consume') {
        await real.take(step)
        continue
      }
      const costs = { real: step.cost, shadow: Math.min(step.cost + more, mostCost(other)) }
      const asked = { real: await real.look(costs.real), shadow: await shadow.look(costs.shadow) }
      const before = { real: await real.look(1), shadow: await shadow.look(1) }
      const target = { policy, key: real.key, cost: costs.real }
      const shadowed = { policy: other, key: shadow.key, cost: costs.shadow, shadow: true }
      const targets = place === 0 ? [target, shadowed] : [shadowed, target]
      const { allowed } = await opened.decide({ mode: 'consume', targets })
      expectThat(
        allowed === asked.real.allowed,
        `beside a shadow cost ${step.cost} is ${asked.real.allowed ? 'allowed' : 'denied'} as without`,
      )
      const after = { real: await real.look(1), shadow: await shadow.look(1) }
      for (const name of ['real', 'shadow'] as const) {
        if (allowed && asked[name].allowed) {
          const left = before[name].remaining - costs[name]
          expectThat(
            after[name].remaining === left,
            `the ${name} policy counts what it allows: ${left} left, not ${after[name].remaining}`,
          )
        } else {
          expectThat(
            JSON.stringify(before[name]) === JSON.stringify(after[name]),
            `the ${name} policy counts nothing: ${JSON.stringify(before[name])}, not ${JSON.stringify(after[name])}`,
          )
        }
      }
    }
  },
)

function freshKeys(): readonly { readonly one: string; readonly two: string }[] {
  return [0, 1, 2].map(() => {
    const group = freshGroup()
    return { one: keyOf('one', group), two: keyOf('two', group) }
  })
}

function batches(most: number) {
  const request = fc.record({
    mode: fc.constantFrom<Mode>('consume', 'consume', 'consume', 'look', 'charge'),
    key: fc.nat(2),
    cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: most })),
    of: fc.constantFrom('one', 'two', 'both'),
    shadow: fc.boolean(),
    /** Instead of all that, gives back what an earlier round has counted. */
    back: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.nat(20) },
    ),
  })
  return fc.record({
    waits: fc.array(fc.nat(20_000_000), { minLength: 3, maxLength: 3 }),
    requests: fc.array(fc.array(request, { minLength: 1, maxLength: 80, size: 'max' }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
}
