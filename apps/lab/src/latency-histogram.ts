/** Collects durations and tells their quantiles, in memory that does not grow. */
export interface LatencyHistogram {
  add(us: number): void
  /** The duration, in whole microseconds, that a share of all of them does not exceed; 0 without any. */
  quantile(share: number): number
}

// One bucket a microsecond, so quantiles are exact; what takes longer than a second counts as one.
const buckets = 1_000_000

export function latencyHistogram(): LatencyHistogram {
  const counts = new Float64Array(buckets + 1)
  let total = 0
  return {
    add(us) {
      counts[Math.min(Math.max(0, Math.round(us)), buckets)]! += 1
      total += 1
    },
    quantile(share) {
      const rank = Math.ceil(share * total)
      let seen = 0
      for (let us = 0; us <= buckets; us++) {
        seen += counts[us]!
        if (seen >= rank) return us
      }
      return buckets
    },
  }
}
