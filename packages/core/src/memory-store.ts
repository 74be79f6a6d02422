import { type Clock, systemClock, timeOf } from './clock.js'
import { invalid } from './invalid.js'
import { judge } from './judge.js'
import { positiveInteger } from './positive-integer.js'
import { stateTable } from './state-table.js'
import type { Store } from './store.js'

/** How a {@link memoryStore} is made. */
export interface MemoryStoreOptions {
  /**
   * The most keys it holds. When one more is needed, expired keys go first, then the
   * key whose counts matter for the shortest time.
   * Default 100,000.
   */
  readonly maxKeys?: number | undefined
  /** Default: the clock of this process. */
  readonly clock?: Clock | undefined
}

/**
 * A store in the memory of this process: for a single process, for tests, and to start with.
 * It sets no timer and keeps no process alive.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const { maxKeys = 100_000, clock = systemClock } = options
  const table = stateTable(positiveInteger('maxKeys', maxKeys))
  if (typeof clock !== 'function') throw invalid('clock', 'must be a function', clock)

  return {
    decide(request) {
      const now = timeOf(clock)
      const { targets } = request
      const states = targets.map((target) => table.get(target.key) ?? [])
      const { ruling, ttls } = judge(states, request, now)
      for (let i = 0; i < targets.length; i++) {
        const ttl = ttls[i]!
        if (ttl === null) continue
        const { key } = targets[i]!
        if (ttl > 0) table.set(key, states[i]!, now + ttl, now)
        else table.delete(key)
      }
      return ruling
    },
    async forget(keys) {
      for (const key of keys) table.delete(key)
    },
  }
}
