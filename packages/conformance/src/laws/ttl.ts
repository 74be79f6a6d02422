import { judge, type Policy, type State } from '@spillway/core'
import { drive, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { type History, histories, mostCost, refillUs } from '../steps.js'

/** Law 5, of the rule: what a store may forget does not matter. */
export const ttlIsGarbageCollection: Law = forAll(
  { number: 5, name: 'a state past its TTL no longer matters' },
  (policy) => histories(policy, { giveBack: true, charge: true }),
  async (history, policy) => {
    const { state, now, ttl } = await replayInMemory(policy, history)
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
  },
  (policy) => histories(policy, { giveBack: true, charge: true }),
  async (history, policy, { store }) => {
    const { inspect } = store
    if (inspect === undefined) return
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
  },
  (policy) => histories(policy),
  async (history, policy, { store }) => {
    const { inspect } = store
    if (inspect === undefined) return
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

async function replayInMemory(policy: Policy, history: History) {
  const twin = replayer(policy, history.start)
  for (const step of history.steps) await twin.take(step)
  return { state: twin.state, now: twin.writtenAt, ttl: twin.ttl }
}

/** Drives the TypeScript twin on a state in the open, keeping the TTL of the latest write. */
function replayer(policy: Policy, start: number) {
  const clock = { now: start }
  let state: State = []
  let ttl: number | undefined
  let writtenAt = start
  const driven = drive(
    {
      async decide(request) {
        const { ruling, ttls } = judge([state], request, clock.now)
        if (typeof ttls[0] === 'number') {
          ttl = ttls[0]
          writtenAt = clock.now
          if (ttl === 0) state = []
        }
        return ruling
      },
      async forget() {},
    },
    clock,
    policy,
  )
  return {
    take: driven.take,
    get state() {
      return state
    },
    get ttl() {
      return ttl
    },
    get writtenAt() {
      return writtenAt
    },
  }
}
