// Peers without types of their own: what is used of them.

declare module '@fastify/rate-limit/store/RedisStore.js' {
  type Callback = (error: Error | null, result: { current: number; ttl: number }) => void
  // biome-ignore lint/style/noDefaultExport: it is theirs
  export default class RedisStore {
    constructor(continueExceeding: boolean, exponentialBackoff: boolean, redis: unknown)
    incr(ip: string, callback: Callback, timeWindow: number, max: number): void
  }
}

declare module 'redis-gcra' {
  interface Limited {
    readonly limited: boolean
  }
  // biome-ignore lint/style/noDefaultExport: it is theirs
  export default function redisGcra(options: {
    redis: unknown
    keyPrefix?: string
    burst: number
    rate: number
    period: number
  }): { limit(request: { key: string }): Promise<Limited> }
}
