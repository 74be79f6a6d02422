import { cacheFolder } from './cache-folder.js'
import { cachedRedis } from './cached-redis.js'
import { dockerAnswers } from './docker-answers.js'
import { findOnPath } from './find-on-path.js'
import type { RedisSource } from './redis-source.js'

export interface FindOptions {
  /** Look past `REDIS_URL`: for those who must kill, restart or pause the server they use. Default: false. */
  readonly own?: boolean
}

/**
 * The Redis at hand, or undefined; nothing is started, downloaded or asked for a connection.
 *
 * In this order: `REDIS_URL`; `redis-server` or `valkey-server` on the PATH; one that `fetchRedis` fetched earlier;
 * Docker, when its engine runs.
 */
export async function findRedis(options: FindOptions = {}): Promise<RedisSource | undefined> {
  const url = process.env.REDIS_URL
  if (url && !options.own) return { kind: 'url', url }
  const path = (await findOnPath('redis-server')) ?? (await findOnPath('valkey-server'))
  if (path) return { kind: 'binary', path }
  return (
    (await cachedRedis(cacheFolder())) ?? ((await dockerAnswers()) ? { kind: 'docker' } : undefined)
  )
}
