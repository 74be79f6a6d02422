import { invalid } from './invalid.js'
import type { Store } from './store.js'

/** Refuses what is no store. */
export function requireStore(option: string, store: Store): void {
  if (typeof store?.decide !== 'function' || typeof store.forget !== 'function') {
    throw invalid(option, 'must be a store, such as memoryStore()', store)
  }
}
