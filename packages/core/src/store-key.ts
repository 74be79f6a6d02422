import { invalid } from './invalid.js'

/**
 * The key under which a store keeps one policy's counts for one identity:
 * `prefix:policy:algorithm:{identity}`, so that in a Redis Cluster all policies of an identity
 * share the slot of what stands in braces. Where another identity carries the slot, it stands
 * there and the own one behind it.
 *
 * No two identities collide and none moves its slot: `}` inside the braces is written `%7D`, and
 * `%` therefore `%25`. What comes before the braces cannot contain one.
 *
 * @param head `prefix:policy:algorithm:`
 * @param slot the identity that carries the slot; default: the own one
 */
export function storeKey(head: string, identity: string, slot: string = identity): string {
  const braced = `${head}{${/[%}]/.test(slot) ? slot.replace(/[%}]/g, escaped) : slot}}`
  return slot === identity ? braced : braced + identity
}

function escaped(character: string): string {
  return character === '%' ? '%25' : '%7D'
}

/** Refuses what is no identity. */
export function requireIdentity(option: string, identity: unknown): asserts identity is string {
  if (typeof identity !== 'string' || identity === '') {
    throw invalid(option, 'must be a non-empty string', identity)
  }
  if (!identity.isWellFormed()) throw invalid(option, 'must not contain a lone surrogate', identity)
}

/** How many identities have their stored keys kept, and how long they may be. */
const most = { identities: 4096, characters: 100 }

/**
 * Answers with stored keys, and keeps the latest: to put one together, and to have it hashed, costs
 * a store in memory more than its decision.
 */
export function storedKeys(head: string): (identity: string) => string {
  const latest = new Map<string, string>()
  return (identity) => {
    const known = latest.get(identity)
    if (known !== undefined) return known
    requireIdentity('key', identity)
    const key = storeKey(head, identity)
    const isPlain = key.length === head.length + identity.length + 2
    if (isPlain && identity.length <= most.characters) {
      if (latest.size === most.identities) latest.clear()
      // Not the caller's own: that may be a slice, which keeps all of what it was cut from.
      latest.set(key.slice(head.length + 1, -1), key)
    }
    return key
  }
}
