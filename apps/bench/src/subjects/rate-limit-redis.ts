import type { Options } from 'express-rate-limit'
import { type RedisReply, RedisStore } from 'rate-limit-redis'
import { connectIoredis, connectNodeRedis } from '../connection.js'
import type { Driver, Subject } from '../subject.js'

/**
 * The store of express-rate-limit, asked as the middleware asks it.
 * https://github.com/express-rate-limit/rate-limit-redis#usage
 */
export function rateLimitRedis(driver: Driver): Subject {
  return {
    name: 'rate-limit-redis',
    group: 'peer',
    driver,
    async open(url, { limit, windowMs }) {
      const { sendCommand, close } = await sender(driver, url)
      const store = new RedisStore({ sendCommand })
      // Of the middleware's options, the one that the store reads.
      await store.init({ windowMs } as Options)
      return {
        decide: (key) => store.increment(key),
        allows: (answer) => (answer as { totalHits: number }).totalHits <= limit,
        close,
      }
    },
  }
}

async function sender(driver: Driver, url: string) {
  if (driver === 'ioredis') {
    const client = await connectIoredis(url)
    return {
      sendCommand: (command: string, ...args: string[]) =>
        client.call(command, ...args) as Promise<RedisReply>,
      close: () => client.disconnect(),
    }
  }
  const client = await connectNodeRedis(url)
  return {
    sendCommand: (...args: string[]) => client.sendCommand(args) as Promise<RedisReply>,
    close: () => client.destroy(),
  }
}
