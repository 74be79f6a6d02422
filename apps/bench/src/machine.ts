import { arch, availableParallelism, cpus, platform } from 'node:os'
import { wallClockMs } from './wall-clock.js'
import { withRedis } from './with-redis.js'

/** Where figures come from: they are worth little without it. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly system: string
  readonly node: string
  readonly redis: string
  readonly on: string
}

export async function thisMachine(): Promise<Machine> {
  const info = String(await withRedis((redis) => redis.command('INFO', 'server')))
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    system: `${platform()} ${arch()}`,
    node: process.version.slice(1),
    redis: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
    on: new Date(wallClockMs()).toISOString().slice(0, 10),
  }
}
