import { type OwnRedis, startRedis } from '@spillway/testbed'

/**
 * Starts a Redis for `use`, and stops it however that ends.
 *
 * @param under a command that runs it
 */
export async function withRedis<T>(
  use: (redis: OwnRedis) => Promise<T>,
  under: readonly string[] = [],
): Promise<T> {
  const redis = await startRedis({ own: true, under })
  try {
    return await use(redis)
  } finally {
    await redis.stop()
  }
}
