import { randomBytes } from 'node:crypto'
import { createLimiter, type Policy } from '@spillway/core'
import { manualClock } from './manual-clock.js'
import type { RedisLink } from './redis-link.js'

/**
 * How many bytes Redis takes for a key at its fullest, its name included: one asked for as much as
 * it gets, evenly over two windows, so that every counter, segment and entry there can be is there.
 * `null` where Redis refuses to tell.
 */
export async function bytesPerKey(redis: RedisLink, policy: Policy): Promise<number | null> {
  const { limit, windowMs } = policy
  const windowUs = windowMs * 1000
  const { clock, advance } = manualClock(1_800_000_000_000_000 - (1_800_000_000_000_000 % windowUs))
  const limiter = createLimiter({ store: redis.newStore(clock), policies: { api: policy } })
  const key = `lab:${randomBytes(4).toString('hex')}`
  const perWindow = Math.min(100, limit)
  const atOnce = Math.ceil(limit / perWindow)
  try {
    for (let step = 0; step < 2 * perWindow; step++) {
      if (step > 0) advance(Math.floor(windowUs / perWindow))
      await Promise.all(Array.from({ length: atOnce }, () => limiter.consume(key)))
    }
    return await redis.bytes(`spillway:api:${policy.algorithm.name}:{${key}}`)
  } finally {
    await limiter.reset(key).catch(() => {})
  }
}
