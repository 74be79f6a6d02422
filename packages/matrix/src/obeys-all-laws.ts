import { laws, type Replay } from '@spillway/conformance'
import type { Policy } from '@spillway/core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Bench, benches, type OpenBench } from './benches.js'
import { stopServers } from './servers.js'

/**
 * Makes a test of every law on every store that has what it needs, for these policies of one algorithm. Give at least
 * two: small limits, windows that do not divide evenly, one with a limit of 1.
 *
 * @param on the stores; default: all of them
 * @param replay repeats the one history of a failure's line `Replay`, in the law that failed: run that test alone
 */
export function obeysAllLaws(
  policies: readonly Policy[],
  on: readonly Bench[] = benches,
  replay?: Replay,
): void {
  stopServersAtTheEnd()
  const algorithms = [...new Set(policies.map(({ algorithm }) => algorithm.name))].join(', ')
  for (const { name: store, offers, open } of on) {
    describe(algorithms, () => {
      let bench: OpenBench
      beforeAll(async () => {
        bench = await open()
      })
      afterAll(async () => {
        await bench?.close()
      })
      // All in the title of the test, since lists of failures show no more, and whole: `each` cuts names.
      for (const law of laws.filter(({ needs }) => needs === undefined || offers.includes(needs))) {
        test(`law ${law.number}, ${store}: ${law.name}`, { timeout: 60_000 }, async () => {
          await law.check({ store: bench.store, policies }, replay)
        })
      }
    })
  }
}

let calls = 0

/** Stops the shared servers when the last of a file's calls is done with them. */
function stopServersAtTheEnd(): void {
  calls += 1
  afterAll(async () => {
    calls -= 1
    if (calls === 0) await stopServers()
  })
}
