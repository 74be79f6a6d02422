export { eventually } from './eventually.js'
export { fetchRedis } from './fetch-redis.js'
export { type FindOptions, findRedis } from './find-redis.js'
export { howToGetRedis } from './how-to-get-redis.js'
export type { Log } from './log.js'
export type { OwnRedis, RedisAccess, RedisServer, UsersRedis } from './redis-server.js'
export type { RedisSource } from './redis-source.js'
export type { Reply } from './resp.js'
export {
  type ClusterNode,
  type ClusterOptions,
  type RedisCluster,
  type SlotMigration,
  startCluster,
} from './start-cluster.js'
export { type ProxyTarget, type RedisProxy, type SeenRequest, startProxy } from './start-proxy.js'
export { type StartOptions, startRedis } from './start-redis.js'
export { type RedisSentinel, type SentinelOptions, startSentinel } from './start-sentinel.js'
export { TestbedError, type TestbedErrorCode } from './testbed-error.js'
