import { ioredisOptions } from '@spillway/adapter-ioredis'
import { startRedis } from '@spillway/testbed'
import { Redis } from 'ioredis'

/** A real Redis, a client of it, and a prefix that nobody else has. */
export async function openRedis() {
  const server = await startRedis()
  const client = new Redis(server.url, ioredisOptions)
  return {
    client,
    prefix: `golden-${Math.random().toString(36).slice(2)}`,
    async close() {
      await client.quit()
      await server.stop()
    },
  }
}
