import type { OwnRedis } from '@spillway/testbed'

/** What commands have cost a server since it was last asked. */
export interface ServerCpu {
  /** Time in commands and scripts, as INFO commandstats counts it. */
  readonly commandsUs: number
  readonly calls: number
}

const scripts = ['eval', 'evalsha']
const ours = ['info', 'config', 'hello', 'client', 'script']

/** Reads, and sets back to 0, what the server's commands have cost. */
export async function takeServerCpu(redis: OwnRedis): Promise<ServerCpu> {
  const stats = new Map<string, { calls: number; us: number }>()
  const text = String(await redis.command('INFO', 'commandstats'))
  for (const [, name, calls, us] of text.matchAll(
    /^cmdstat_([^|:]+)\S*:calls=(\d+),usec=(\d+)/gm,
  )) {
    stats.set(name!, { calls: Number(calls), us: Number(us) })
  }
  await redis.command('CONFIG', 'RESETSTAT')
  // The time of a script includes that of the commands it calls, which are listed by themselves.
  const hasScripts = scripts.some((name) => stats.has(name))
  let commandsUs = 0
  let calls = 0
  for (const [name, stat] of stats) {
    if (hasScripts ? !scripts.includes(name) : ours.includes(name)) continue
    commandsUs += stat.us
    calls += stat.calls
  }
  return { commandsUs, calls }
}
