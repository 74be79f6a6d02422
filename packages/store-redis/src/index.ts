export type { RedisDriver } from './driver.js'
export { type RedisStoreOptions, redisStore } from './redis-store.js'
