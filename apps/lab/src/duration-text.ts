const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** A duration for people: `250 ms`, `10 s`, `9.59 s`, `5 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  for (const [name, length] of units) {
    if (ms % length === 0) return `${ms / length} ${name}`
  }
  return `${Number((ms / 1000).toFixed(ms % 1000 === 0 ? 0 : 2))} s`
}
