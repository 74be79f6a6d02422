import { type OwnRedis, startRedis } from '@spillway/testbed'

/** Starts a Redis for `use`, and stops it however that ends. */
export async function withRedis<T>(use: (redis: OwnRedis) => Promise<T>): Promise<T> {
  const redis = await startRedis({ own: true })
  try {
    return await use(redis)
  } finally {
    await redis.stop()
  }
}
