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
