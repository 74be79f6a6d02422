import { isStoreFailure } from './spillway-error.js'
import type { Store } from './store.js'

/**
 * Lets another store decide what the first one fails to: a `memoryStore()` for while Redis is
 * down, say. Decisions of the other carry the source `fallback`, and refunds of them go there.
 *
 * The two count apart, and nothing is moved from one to the other. Only questions fall back
 * (`consume`, `peek`): a refund or a charge that fails is an error, since it belongs where the
 * cost was counted.
 */
export function withFallback(store: Store, other: Store): Store {
  return {
    async decide(request, caller) {
      try {
        return await store.decide(request, caller)
      } catch (error) {
        const isQuestion = request.mode === 'consume' || request.mode === 'look'
        if (!isQuestion || !isStoreFailure(error)) throw error
        const ruling = await other.decide(request, caller)
        if (ruling.source === 'assumed') return ruling
        return { ...ruling, source: 'fallback', countedBy: ruling.countedBy ?? other }
      }
    },
    async forget(keys) {
      await other.forget(keys)
      await store.forget(keys)
    },
  }
}
