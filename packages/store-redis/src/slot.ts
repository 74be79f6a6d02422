/** The part of a key by which a Cluster finds its slot: what stands between the first braces. */
export function slotTag(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close)
}

/** The slots of a Redis Cluster. */
export const slots = 16_384

/** CRC-16/XMODEM, of which the slot of a tag is the remainder by {@link slots}. */
export function crc16(text: string): number {
  let crc = 0
  for (const byte of Buffer.from(text)) crc = ((crc << 8) & 0xffff) ^ table[(crc >> 8) ^ byte]!
  return crc
}

const table: readonly number[] = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)
  return crc & 0xffff
})
