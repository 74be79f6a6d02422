import { createLimiter, systemClock } from '@spillway/core'
import * as fc from 'fast-check'
import { freshKey } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { refillUs } from '../steps.js'

// Clocks that tick in milliseconds may differ by one at each end of an interval.
const toleranceUs = 2000

/** Law 2, for callers who wait. In real time, so only where that takes no longer than a blink. */
export const acquireWaitsItsTurn: Law = forAll(
  {
    number: 2,
    name: 'acquire grants first come first served and never early, and a caller who gives up takes no turn',
    share: 0.02,
  },
  () => fc.nat(2),
  async (leaver, policy, { store }) => {
    if (refillUs(policy) > 50_000) return
    const limiter = createLimiter({ store: store.open(), prefix: 'laws', policies: { policy } })
    const key = freshKey()
    const begun = systemClock()
    for (let allowed = 1; (await limiter.consume(key)).allowed; allowed++) {
      const elapsed = systemClock() - begun + toleranceUs
      const most = policy.most(elapsed)
      expectThat(allowed <= most, `at most ${most} are allowed in ${elapsed} µs, not ${allowed}`)
    }
    const asked = systemClock()
    const look = await limiter.peek(key)
    const waitUs = look.allowed ? 0 : (look.retryAfterMs - 1) * 1000

    const granted: { readonly name: number; readonly at: number }[] = []
    const left: number[] = []
    const { signal, leave } = leavable()
    const callers = [0, 1, 2].map((name) =>
      limiter.acquire(key, name === leaver ? { signal } : {}).then(
        () => granted.push({ name, at: systemClock() }),
        () => left.push(name),
      ),
    )
    leave()
    await Promise.all(callers)

    const names = granted.map(({ name }) => name)
    const expected = [0, 1, 2].filter((name) => name !== leaver)
    expectThat(
      JSON.stringify(names) === JSON.stringify(expected) && left[0] === leaver,
      `those are granted a turn who have not left, in their order: ${expected}, not ${names}`,
    )
    const early = asked + waitUs - toleranceUs - granted[0]!.at
    expectThat(
      early <= 0,
      `nobody goes ahead before the wait of ${waitUs} µs, not ${early} µs early`,
    )
  },
)

/** An abort signal, which no library of the language has. */
function leavable() {
  const listeners = new Set<() => void>()
  let aborted = false
  return {
    signal: {
      get aborted() {
        return aborted
      },
      reason: new Error('left'),
      addEventListener: (_: 'abort', listener: () => void) => void listeners.add(listener),
      removeEventListener: (_: 'abort', listener: () => void) => void listeners.delete(listener),
    },
    leave() {
      aborted = true
      for (const listener of listeners) listener()
    },
  }
}
