import { type RedisCluster, type RedisServer, startCluster, startRedis } from '@spillway/testbed'

let redis: Promise<RedisServer> | undefined
let cluster: Promise<RedisCluster> | undefined

/** The Redis that all benches of one test file share; keys of the laws never meet. */
export function sharedRedis(): Promise<RedisServer> {
  redis ??= startRedis()
  return redis
}

/** The Cluster that all benches of one test file share. */
export function sharedCluster(): Promise<RedisCluster> {
  cluster ??= startCluster()
  return cluster
}

/** Stops what was started. What is asked for later is started anew. */
export async function stopServers(): Promise<void> {
  const started = await Promise.all([redis, cluster])
  redis = undefined
  cluster = undefined
  for (const server of started) await server?.stop()
}
