import { decideOr } from './decide-or.js'
import { requireStore } from './require-store.js'
import type { Store } from './store.js'

/**
 * Lets another store decide what the first one fails to: a `memoryStore()` for while Redis is
 * down, say. Decisions of the other carry the source `fallback`, and refunds of them go there.
 *
 * The two count apart, and nothing is moved from one to the other. Only questions fall back
 * (`consume`, `peek`): a refund or a charge that fails is an error, since it belongs where the
 * cost was counted.
 *
 * A timeout belongs inside, `withFallback(withTimeout(redis, 50), memory)`: around both it would
 * count the fallback's answers as none of the store's.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for something that is no store
 */
export function withFallback(store: Store, other: Store): Store {
  requireStore('store', store)
  requireStore('other', other)
  return {
    decide: decideOr(store, async (request, caller) => {
      const ruling = await other.decide(request, caller)
      if (ruling.source === 'assumed') return ruling
      return { ...ruling, source: 'fallback', countedBy: ruling.countedBy ?? other }
    }),
    async forget(keys) {
      const [forgotten, alsoForgotten] = [store.forget(keys), other.forget(keys)]
      await Promise.allSettled([forgotten, alsoForgotten])
      await forgotten
      await alsoForgotten
    },
  }
}
