import type { Log } from './log.js'
import { runOwnRedis } from './own-redis.js'
import { withOwnSite } from './own-site.js'
import { redisCommand } from './redis-command.js'
import type { OwnRedis, RedisServer, UsersRedis } from './redis-server.js'
import { TestbedError } from './testbed-error.js'

export interface StartOptions {
  /** Look past `REDIS_URL` and start a process of our own. Default: false. */
  readonly own?: boolean
  /** More arguments for `redis-server`, such as `['--maxmemory', '100mb']`; a server of the user's takes none. */
  readonly args?: readonly string[]
  /** A command that runs a server of our own, such as `['valgrind', '--tool=callgrind']`. Not in a container. */
  readonly under?: readonly string[]
  /** Told when Redis has to be fetched first. Default: standard error. */
  readonly log?: Log
}

/**
 * Starts a Redis without persistence on a free port of 127.0.0.1, or uses the one `REDIS_URL` names.
 *
 * Fetches one when none is at hand, and fails when that is impossible: never a silent skip. Resolves when it answers.
 *
 * @throws TestbedError `REDIS_NOT_FOUND` with the install line for the platform; `START_FAILED`; `UNREACHABLE`
 */
export function startRedis(options: StartOptions & { readonly own: true }): Promise<OwnRedis>
export function startRedis(options?: StartOptions): Promise<RedisServer>
export async function startRedis(options: StartOptions = {}): Promise<RedisServer> {
  const own = options.own ?? false
  const url = process.env.REDIS_URL
  if (url && !own) return usersRedis(url)
  return withOwnSite(1, options.log, async (site, [port = 0]) => {
    const { args = [], under = [] } = options
    const server = await runOwnRedis(site, { port, args, under })
    // Not a spread: `pid` is read anew each time.
    return Object.assign(server, { stop: site.close })
  })
}

async function usersRedis(url: string): Promise<UsersRedis> {
  const { hostname, port } = new URL(url)
  await redisCommand(url, ['PING'])
  return {
    own: false,
    url,
    host: hostname,
    port: Number(port || 6379),
    command: async (...args) => {
      if (/^(flushall|flushdb|shutdown)$/i.test(String(args[0]))) {
        throw new TestbedError(
          'NOT_OWN',
          `${String(args[0])} refused: the server of REDIS_URL is not ours`,
        )
      }
      return redisCommand(url, args)
    },
    stop: async () => undefined,
  }
}
