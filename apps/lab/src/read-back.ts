import type { Policy } from '@spillway/core'
import type { RedisLink } from './redis-link.js'

/** What Redis holds under a limiter's key, read with the driver in use. */
export interface ReadBack {
  readonly key: string
  /** Of a fixed window: its counters, oldest first. */
  readonly counters: readonly WindowCounter[] | null
  /** Of a sliding window: how many entries its log has. */
  readonly logSize: number | null
}

export interface WindowCounter {
  /** When the window begins: microseconds since 1970, which is its field in the hash. */
  readonly windowStartUs: number
  readonly count: number
}

/** Reads a key in the format of its algorithm; everything is `null` without a Redis. */
export async function readBack(
  redis: RedisLink | undefined,
  policy: Policy,
  key: string,
): Promise<ReadBack> {
  if (redis === undefined) return { key, counters: null, logSize: null }
  if (policy.algorithm.name === 'sliding-window') {
    return { key, counters: null, logSize: await redis.logSize(key) }
  }
  const fields = Object.entries(await redis.hash(key))
  const counters = fields
    .map(([start, count]) => ({ windowStartUs: Number(start), count: Number(count) }))
    .sort((one, other) => one.windowStartUs - other.windowStartUs)
  return { key, counters, logSize: null }
}
