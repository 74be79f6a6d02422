import { crc16, slots, slotTag } from './slot.js'

/**
 * Puts every key under one of `count` tags, so that keys of different callers share a slot and can
 * travel in one call: `api:gcra:{user:42}` becomes `api:gcra:{12.7.0}{user:42}`.
 *
 * Of the tags `{count.i.n}`, tag number i lies in the i-th of `count` equal parts of the slots: n is
 * the least number from 0 that brings it there. A key's tag is number crc16 mod `count`, where crc16
 * is of what stands in its own braces, as for a slot. So keys that shared a slot still do.
 */
export function clusterTags(count: number): (key: string) => string {
  const tags = Array.from({ length: count }, (_, i) => {
    for (let n = 0; ; n++) {
      const tag = `${count}.${i}.${n}`
      if (Math.floor(((crc16(tag) % slots) * count) / slots) === i) return `{${tag}}`
    }
  })
  return (key) => {
    const tag = tags[crc16(slotTag(key)) % count]!
    const braces = Math.max(0, key.indexOf('{')) // what comes before them can hold none
    return key.slice(0, braces) + tag + key.slice(braces)
  }
}
