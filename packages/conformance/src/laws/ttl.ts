import * as fc from 'fast-check'
import { drive, freshKey, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { replayer } from '../replayer.js'
import { histories, mostCost, refillUs } from '../steps.js'

/** Law 5, of the rule: what a store may forget does not matter. */
export const ttlIsGarbageCollection: Law = forAll(
  { number: 5, name: 'a state past its TTL no longer matters' },
  (policy) =>
    fc.tuple(
      histories(policy, { giveBack: true, charge: true }),
      fc.option(fc.integer({ min: 1, max: Math.min(refillUs(policy), policy.windowMs * 1000) }), {
        freq: 2,
      }),
    ),
  async ([history, back], policy) => {
    const twin = replayer(policy, history.start)
    for (const step of history.steps) await twin.take(step)
    if (back !== null) {
      await twin.take({ do: 'step back', us: back })
      await twin.take({ do: 'charge', cost: 1 })
    }
    const { state, writtenAt: now, ttl } = twin
    if (ttl === undefined) return
    for (const cost of new Set([1, mostCost(policy)])) {
      const past = policy.algorithm.check(state, now + ttl, cost, policy.args)
      const fresh = policy.algorithm.check([], now + ttl, cost, policy.args)
      expectThat(
        JSON.stringify(past) === JSON.stringify(fresh),
        `${ttl} µs after the last write, cost ${cost} meets ${JSON.stringify(fresh)}, not ${JSON.stringify(past)}`,
      )
    }
  },
)

/** Law 5, of the store: each write leaves a TTL that covers what the rule needs. */
export const everyWriteSetsTtl: Law = forAll(
  {
    number: 5,
    name: 'every key carries a TTL after every write, long enough for its state',
    share: 0.5,
    needs: 'inspect',
  },
  (policy) => histories(policy, { giveBack: true, charge: true }),
  async (history, policy, { store }) => {
    const inspect = store.inspect!
    const driven = drive(...openAt(store, history.start), policy)
    const twin = replayer(policy, history.start)
    for (const step of history.steps) {
      const event = await driven.take(step)
      await twin.take(step)
      if (event === undefined) continue
      const ttlMs = await inspect.ttlMs(driven.key)
      expectThat(ttlMs !== Number.POSITIVE_INFINITY, `the key has a TTL after "${step.do}"`)
      const { ttl } = twin
      if (ttl === undefined || ttl === 0 || event.mode === 'look' || !event.allowed) continue
      expectThat(
        ttlMs !== null && ttlMs * 1000 >= ttl,
        `after "${step.do}" the key is kept for at least ${ttl} µs, not ${ttlMs} ms`,
      )
    }
  },
)

/** Law 5: no key blocks for ever. */
export const lostTtlHeals: Law = forAll(
  {
    number: 5,
    name: 'a key that lost its TTL allows again in time, and has a TTL after the next write',
    share: 0.3,
    needs: 'inspect',
  },
  (policy) => histories(policy),
  async (history, policy, { store }) => {
    const inspect = store.inspect!
    const driven = drive(...openAt(store, history.start), policy)
    for (const step of history.steps) await driven.take(step)
    await inspect.loseTtl(driven.key)
    driven.clock.now += 3 * Math.max(refillUs(policy), policy.windowMs * 1000)
    const cost = mostCost(policy)
    const { allowed } = await driven.decide('consume', cost)
    expectThat(allowed, `after long enough, cost ${cost} is allowed on a key that lost its TTL`)
    const ttlMs = await inspect.ttlMs(driven.key)
    expectThat(ttlMs !== Number.POSITIVE_INFINITY, 'the next write gives the key a TTL again')
  },
)

/** Law 5, of the store: it clears away only what the rule has given up. */
export const othersForgetNothing: Law = forAll(
  { number: 5, name: 'other keys that come and go make no key forget what matters', share: 0.3 },
  (policy) => histories(policy, { giveBack: true, charge: true }),
  async (history, policy, { store }) => {
    const [opened, clock] = openAt(store, history.start)
    const driven = drive(opened, clock, policy)
    const twin = replayer(policy, history.start)
    for (const step of history.steps) {
      const [event, expected] = [await driven.take(step), await twin.take(step)]
      expectThat(
        JSON.stringify(event) === JSON.stringify(expected),
        `among other keys "${step.do}" answers ${JSON.stringify(expected)}, not ${JSON.stringify(event)}`,
      )
      await drive(opened, clock, policy, freshKey()).decide('consume', 1)
    }
  },
)
