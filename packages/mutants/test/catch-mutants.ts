import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenLaw } from '../src/broken-law.js'
import { loadKit } from '../src/load-kit.js'
import type { Mutant } from '../src/mutant.js'
import type { OpenStores } from '../src/open-stores.js'

/** Makes a test of each mutant, and of the unbroken code wherever one is tried. */
export function catchMutants(
  mutants: readonly Mutant[],
  open: () => OpenStores | Promise<OpenStores>,
): void {
  let stores: OpenStores
  beforeAll(async () => {
    stores = await open()
  })
  afterAll(async () => {
    await stores?.close()
  })

  describe('unbroken, the same laws hold in the same place', () => {
    const places = new Map<string, Mutant[]>()
    for (const mutant of mutants) {
      const place = `${mutant.rules} on ${mutant.on}`
      places.set(place, [...(places.get(place) ?? []), mutant])
    }
    test.each([...places])('%s', { timeout: 60_000 }, async (_, mutantsThere) => {
      const kit = await loadKit()
      const numbers = new Set(mutantsThere.map(({ law }) => law))
      const laws = kit.laws.filter(({ number }) => numbers.has(number))
      expect(await brokenLaw(laws, stores.subject(kit, mutantsThere[0]!))).toBeUndefined()
    })
  })

  describe('a mutant is caught by the law it breaks', () => {
    test.each(mutants)('law $law: $name', { timeout: 60_000 }, async (mutant) => {
      const kit = await loadKit(mutant)
      const laws = kit.laws.filter(({ number }) => number === mutant.law)
      const message = await brokenLaw(laws, stores.subject(kit, mutant))
      // A mutant that merely crashes proves nothing; that a store fails does.
      expect(message).toMatch(
        /^Law \d+ is broken: .*\n {2}It (demands that|could not be checked: SpillwayError)/,
      )
    })
  })
}
