import { redisCommand } from './redis-command.js'
import type { OwnRedis } from './redis-server.js'
import { type ProcessOptions, type Site, serverUrl } from './site.js'

/** Runs one server in a site. Its `stop` kills it alone: whoever opened the site closes it. */
export async function runOwnRedis(site: Site, options: ProcessOptions): Promise<OwnRedis> {
  let running = await site.run(options)
  const url = serverUrl(options)
  return {
    own: true,
    url,
    host: '127.0.0.1',
    port: options.port,
    get pid() {
      return running.pid
    },
    command: (...args) => redisCommand(url, args),
    kill: () => running.signal('SIGKILL'),
    pause: () => running.signal('SIGSTOP'),
    resume: () => running.signal('SIGCONT'),
    restart: async () => {
      await running.signal('SIGKILL')
      running = await site.run(options)
    },
    stop: () => running.signal('SIGKILL'),
  }
}
