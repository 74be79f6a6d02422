import { isStoreFailure } from './spillway-error.js'
import type { Caller, Request, Ruling, Store } from './store.js'

/**
 * Asks a store, and has a question answered otherwise when it fails. What fails to be charged or
 * given back is an error: it belongs where the cost was counted.
 */
export function decideOr(
  store: Store,
  otherwise: (request: Request, caller?: Caller) => Ruling | Promise<Ruling>,
): Store['decide'] {
  return async (request, caller) => {
    try {
      return await store.decide(request, caller)
    } catch (error) {
      const isQuestion = request.mode === 'consume' || request.mode === 'look'
      if (!isQuestion || !isStoreFailure(error)) throw error
      return otherwise(request, caller)
    }
  }
}
