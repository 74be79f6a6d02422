export { nodeRedisOptions, nodeRedisSentinelOptions } from './node-redis-options.js'
export { type NodeRedisClient, nodeRedisStore } from './node-redis-store.js'
