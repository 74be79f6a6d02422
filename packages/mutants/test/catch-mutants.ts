import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenLaw } from '../src/broken-law.js'
import { loadKit } from '../src/load-kit.js'
import type { Mutant } from '../src/mutant.js'
import type { OpenStores } from '../src/open-stores.js'
import { replayOf } from '../src/replay-of.js'

/** Makes a test of each mutant. */
export function catchMutants(
  mutants: readonly Mutant[],
  open: () => OpenStores | Promise<OpenStores>,
): void {
  let stores: OpenStores
  let unbroken: Awaited<ReturnType<typeof loadKit>>
  beforeAll(async () => {
    stores = await open()
    unbroken = await loadKit()
  })
  afterAll(async () => {
    await stores?.close()
  })

  describe('a mutant is caught by the law it breaks, and without it the same case holds', () => {
    test.each(mutants)('law $law: $name', { timeout: 60_000 }, async (mutant) => {
      const kit = await loadKit(mutant)
      const laws = kit.laws.filter(({ number }) => number === mutant.law)
      const broken = await brokenLaw(laws, stores.subject(kit, mutant))
      // A mutant that merely crashes proves nothing; that a store fails does.
      expect(broken?.message).toMatch(
        /^Law \d+ is broken: .*\n {2}It (demands that|could not be checked: SpillwayError)/,
      )

      const law = unbroken.laws.find(({ name }) => name === broken!.law.name)!
      const { store, policies } = stores.subject(unbroken, mutant)
      await law.check({ store: { ...store, runs: 1 }, policies }, replayOf(broken!.message))
    })
  })
}
