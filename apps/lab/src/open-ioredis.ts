import { ioredisOptions, ioredisStore } from '@spillway/adapter-ioredis'
import type { Clock, Store } from '@spillway/core'
import { Redis } from 'ioredis'
import { type LinkOptions, microseconds, type RedisLink } from './redis-link.js'

/**
 * Connects through ioredis.
 *
 * @param clock decides instead of the server's, in tests
 */
export async function openIoredis({ url, onLost }: LinkOptions, clock?: Clock): Promise<RedisLink> {
  const client = new Redis(url, {
    ...ioredisOptions,
    lazyConnect: true,
    connectTimeout: 5000,
    retryStrategy: () => null,
  })
  let failure = new Error('the connection was closed')
  client.on('error', (error) => {
    failure = error
  })
  await client.connect().catch((error: unknown) => {
    client.disconnect()
    // What `connect` rejects with is that it closed; why it did was told before.
    throw failure.message === 'the connection was closed' ? error : failure
  })
  client.on('close', () => onLost(failure))
  const newStore = (own?: Clock): Store => ioredisStore(client, own && { clock: own })
  return {
    store: newStore(clock),
    newStore,
    time: async () => microseconds(await client.time()),
    hash: (key) => client.hgetall(key),
    logSize: (key) => client.zcard(key),
    bytes: (key) => client.memory('USAGE', key, 'SAMPLES', 0),
    info: (section) => client.info(section),
    close: () => client.disconnect(),
  }
}
