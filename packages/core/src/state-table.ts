import type { State } from './algorithm.js'

interface Entry {
  readonly key: string
  state: State
  /** When the state stops mattering, in microseconds. */
  expires: number
  /** A lower bound of `expires`, by which the heap is ordered. */
  due: number
  /** Its place in the heap. */
  slot: number
}

/** A bounded map from keys to states. */
export interface StateTable {
  /** The state of a key; `undefined` for a key it does not hold. */
  get(key: string): State | undefined
  /**
   * Holds a state until `expires`. Where that needs room, it drops what has expired, else the
   * state that matters for the shortest time.
   */
  set(key: string, state: State, expires: number, now: number): void
  delete(key: string): void
  readonly size: number
}

/**
 * Makes a table of at most `maxKeys` states. It has no timer: every new key sweeps out up to two
 * expired ones, so the table shrinks as fast as it is used.
 *
 * States are ordered by expiry in a heap whose order is allowed to lag: a later expiry is noted in
 * the entry alone and the heap learns of it when the entry comes to the top, so that counting one
 * more request on a known key costs no heap operation.
 */
export function stateTable(maxKeys: number): StateTable {
  const entries = new Map<string, Entry>()
  const heap: Entry[] = []

  return {
    get: (key) => entries.get(key)?.state,
    set(key, state, expires, now) {
      const known = entries.get(key)
      if (known !== undefined) {
        known.state = state
        known.expires = expires
        if (expires < known.due) {
          known.due = expires
          rise(known)
        }
        return
      }
      sweep(now)
      const entry = { key, state, expires, due: expires, slot: heap.length }
      entries.set(key, entry)
      heap.push(entry)
      rise(entry)
    },
    delete(key) {
      const entry = entries.get(key)
      if (entry !== undefined) drop(entry)
    },
    get size() {
      return entries.size
    },
  }

  function sweep(now: number): void {
    for (let dropped = 0; dropped < 2; dropped++) {
      const first = soonest()
      if (first === undefined || (first.expires > now && entries.size < maxKeys)) return
      drop(first)
    }
  }

  function soonest(): Entry | undefined {
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (top.due === top.expires) return top
      top.due = top.expires
      sink(top)
    }
    return undefined
  }

  function drop(entry: Entry): void {
    entries.delete(entry.key)
    const last = heap.pop()!
    if (last === entry) return
    put(last, entry.slot)
    rise(last)
    sink(last)
  }

  function put(entry: Entry, slot: number): void {
    heap[slot] = entry
    entry.slot = slot
  }

  function rise(entry: Entry): void {
    while (entry.slot > 0) {
      const parent = heap[(entry.slot - 1) >> 1]!
      if (parent.due <= entry.due) return
      const { slot } = parent
      put(parent, entry.slot)
      put(entry, slot)
    }
  }

  function sink(entry: Entry): void {
    for (;;) {
      const left = heap[2 * entry.slot + 1]
      const right = heap[2 * entry.slot + 2]
      const child = right !== undefined && right.due < left!.due ? right : left
      if (child === undefined || child.due >= entry.due) return
      const { slot } = child
      put(child, entry.slot)
      put(entry, slot)
    }
  }
}
