export { ioredisClusterOptions, ioredisOptions } from './ioredis-options.js'
export { type IoredisClient, ioredisStore } from './ioredis-store.js'
