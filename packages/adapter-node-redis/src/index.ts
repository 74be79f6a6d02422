export { type NodeRedisClient, nodeRedisStore } from './node-redis-store.js'
