import { nodeRedisStore } from '@spillway/adapter-node-redis'
import type { Clock, Store } from '@spillway/core'
import { createClient } from 'redis'
import { type LinkOptions, microseconds, type RedisLink } from './redis-link.js'

/**
 * Connects through node-redis.
 *
 * @param clock decides instead of the server's, in tests
 */
export async function openNodeRedis(
  { url, onLost }: LinkOptions,
  clock?: Clock,
): Promise<RedisLink> {
  const client = createClient({ url, socket: { connectTimeout: 5000, reconnectStrategy: false } })
  let isConnected = false
  client.on('error', (error: Error) => {
    if (isConnected) onLost(error)
  })
  await client.connect()
  isConnected = true
  const newStore = (own?: Clock): Store => nodeRedisStore(client, own && { clock: own })
  return {
    store: newStore(clock),
    newStore,
    time: async () => microseconds(await client.time()),
    hash: (key) => client.hGetAll(key),
    logSize: (key) => client.zCard(key),
    bytes: (key) => client.memoryUsage(key, { SAMPLES: 0 }),
    info: (section) => client.info(section),
    close: () => {
      if (client.isOpen) client.destroy()
    },
  }
}
