import { memoryStore, type State } from '@spillway/core'
import * as fc from 'fast-check'
import { drive, freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories } from '../steps.js'

/** Law 12, of the rule. */
export const stateIsBounded: Law = forAll(
  {
    number: 12,
    name: 'what one key remembers is bounded, however much is asked of it',
    share: 0.3,
  },
  (policy) =>
    fc.array(histories(policy, { charge: true, giveBack: true }), { minLength: 1, maxLength: 5 }),
  async (all, policy) => {
    const { algorithm, args } = policy
    const state: State = []
    let now = all[0]!.start
    for (const step of all.flatMap(({ steps }) => steps)) {
      if (step.do === 'wait') now += step.us
      if (step.do === 'charge' || step.do === 'consume')
        algorithm.record(state, now, step.cost, args)
      const most = 8 + 4 * policy.capacity
      expectThat(
        state.length <= most,
        `the state is of at most ${most} integers, not ${state.length}`,
      )
    }
  },
)

/** Law 12, of a store: a key in steady use does not grow. */
export const sizeIsBounded: Law = forAll(
  {
    number: 12,
    name: 'what a store keeps of one key does not grow with its age',
    share: 0.02,
    needs: 'inspect',
  },
  (policy) => {
    const window = policy.windowMs * 1000
    return fc.constantFrom(Math.ceil(window / 2), window, window + 1, 2 * window)
  },
  async (us, policy, { store }) => {
    const inspect = store.inspect!
    const driven = drive(...openAt(store, 1_800_000_000_000_000), policy)
    let young = 0
    for (let round = 0; round < 80; round++) {
      await driven.decide('consume', 1)
      if (round < 4) young = Math.max(young, await inspect.size(driven.key))
      driven.clock.now += us
    }
    const old = await inspect.size(driven.key)
    expectThat(old <= 3 * young, `a key used every ${us} µs stays at about ${young}, not ${old}`)
  },
)

/** Law 12, of a store that can be bounded. */
export const shortestLivedGoesFirst: Law = forAll(
  {
    number: 12,
    name: 'a full store forgets first what matters for the shortest time',
    share: 0.3,
    needs: 'bounded',
  },
  (policy) => fc.uniqueArray(fc.nat(policy.windowMs * 1000), { minLength: 3, maxLength: 8 }),
  async (times, policy, { store }) => {
    const clock = { now: 0 }
    const opened = store.bounded!(() => clock.now, times.length - 1)
    const roomy = memoryStore({ clock: () => clock.now })
    const held: { readonly key: string; readonly expires: number }[] = []
    for (const time of times.toSorted((a, b) => a - b)) {
      clock.now = 1_800_000_000_000_000 + time
      const key = freshKey()
      await drive(opened, clock, policy, key).decide('consume', 1)
      await drive(roomy, clock, policy, key).decide('consume', 1)
      const { ttl } = policy.algorithm.record([], clock.now, 1, policy.args)
      held.push({ key, expires: clock.now + ttl })
    }
    for (const _ of times) await drive(opened, clock, policy).look(1)
    const lost: number[] = []
    const kept: number[] = []
    let remembered = 0
    for (const { key, expires } of held) {
      const { remaining } = await drive(opened, clock, policy, key).look(1)
      const { remaining: expected } = await drive(roomy, clock, policy, key).look(1)
      if (remaining < policy.capacity) remembered++
      if (remaining === expected) kept.push(expires)
      else lost.push(expires)
    }
    const room = times.length - 1
    expectThat(remembered <= room, `at most ${room} keys are remembered, not ${remembered}`)
    expectThat(
      lost.length <= 1,
      `one key too many costs one key, and a look at others none, not ${lost.length}`,
    )
    expectThat(
      Math.max(...lost) <= Math.min(...kept),
      `what is forgotten matters until ${lost}, which is no later than ${Math.min(...kept)}`,
    )
  },
)
