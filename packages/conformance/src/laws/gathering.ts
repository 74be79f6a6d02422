import { type Mode, memoryStore, type Request, SpillwayError } from '@spillway/core'
import * as fc from 'fast-check'
import { freshGroup, keyOf, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { mostCost } from '../steps.js'

/** Law 8. */
export const gatheredEqualsSequential: Law = forAll(
  { number: 8, name: 'requests made at once are decided as one after another, in their order' },
  (policy) => batches(mostCost(policy)),
  async ({ waits, requests }, policy, { store, policies }) => {
    const other = policies[(policies.indexOf(policy) + 1) % policies.length]!
    const [opened, clock] = openAt(store, 1_800_000_000_000_000)
    const twin = memoryStore({ clock: () => clock.now })
    const keys = freshKeys()
    for (const [round, batch] of requests.entries()) {
      clock.now += waits[round] ?? 0
      const asked = batch.map(({ mode, key, cost, both, shadow }): Request => {
        const targets = [{ policy, key: keys[key]!.one, cost, ...(shadow && { shadow }) }]
        const second = { policy: other, key: keys[key]!.two, cost: Math.min(cost, mostCost(other)) }
        return { mode, targets: both ? [...targets, second] : targets }
      })
      const answers = await Promise.all(asked.map((request) => opened.decide(request)))
      for (const [i, request] of asked.entries()) {
        const expected = JSON.stringify(await twin.decide(request))
        const answer = JSON.stringify(answers[i])
        expectThat(
          answer === expected,
          `request ${i} of ${batch.length} at once answers ${expected}, not ${answer}`,
        )
      }
    }
  },
)

/** Law 8. */
export const failsAlone: Law = forAll(
  {
    number: 8,
    name: 'a request that fails fails alone, with an error of the store, and counts nothing',
    share: 0.3,
  },
  (policy) => batches(mostCost(policy)),
  async ({ requests }, policy, { store }) => {
    const { inspect } = store
    if (inspect === undefined) return
    const [opened, clock] = openAt(store, 1_800_000_000_000_000)
    const twin = memoryStore({ clock: () => clock.now })
    const keys = freshKeys()
    const bad = keys[0]!.one
    await inspect.spoil(bad)
    const asked = requests.flat().map(({ mode, key, cost, both }): Request => {
      const targets = [{ policy, key: keys[key]!.two, cost }]
      return {
        mode,
        targets: both || key === 0 ? [...targets, { policy, key: keys[key]!.one, cost }] : targets,
      }
    })
    const answers = await Promise.allSettled(asked.map((request) => opened.decide(request)))
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
    both: fc.boolean(),
    shadow: fc.boolean(),
  })
  return fc.record({
    waits: fc.array(fc.nat(20_000_000), { minLength: 3, maxLength: 3 }),
    requests: fc.array(fc.array(request, { minLength: 1, maxLength: 80, size: 'max' }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
}
