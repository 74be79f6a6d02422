import { laws } from '@spillway/conformance'
import type { Policy } from '@spillway/core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Bench, benches, type OpenBench } from './benches.js'
import { stopServers } from './servers.js'

/**
 * Makes a test of every law on every store that has what it needs, for these policies of one algorithm. Give at least
 * two: small limits, windows that do not divide evenly, one with a limit of 1.
 *
 * @param on the stores; default: all of them
 */
export function obeysAllLaws(policies: readonly Policy[], on: readonly Bench[] = benches): void {
  stopServersAtTheEnd()
  describe.each(on)('$name', ({ offers, open }) => {
    let bench: OpenBench
    beforeAll(async () => {
      bench = await open()
    })
    afterAll(async () => {
      await bench?.close()
    })
    const checkable = laws.filter(({ needs }) => needs === undefined || offers.includes(needs))
    test.each(checkable)('law $number: $name', { timeout: 60_000 }, async (law) => {
      await law.check({ store: bench.store, policies })
    })
  })
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
