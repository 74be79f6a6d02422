import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OwnRedis } from '@spillway/testbed'
import { withRedis } from './with-redis.js'

const run = promisify(execFile)

/** How many instructions a server has executed for something. */
export type Instructions = (work: () => Promise<unknown>) => Promise<number>

/** Whether what counts them is on this machine. */
export async function canCountInstructions(): Promise<boolean> {
  return run('valgrind', ['--version']).then(
    () => true,
    () => false,
  )
}

/**
 * Starts a Redis under valgrind, which runs it fifty times slower and counts every instruction: the
 * same number each time, whatever else the machine does.
 */
export async function withCountedRedis<T>(
  use: (redis: OwnRedis, instructions: Instructions) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-bench-'))
  const out = join(folder, 'out')
  try {
    return await withRedis(
      (redis) =>
        use(redis, async (work) => {
          await run('callgrind_control', ['-z', String(redis.pid)])
          await work()
          await run('callgrind_control', ['-d', String(redis.pid)])
          return totalOf(folder)
        }),
      ['valgrind', '--tool=callgrind', `--callgrind-out-file=${out}`],
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the newest of the numbered dumps says. */
async function totalOf(folder: string): Promise<number> {
  const numbers = (await readdir(folder)).map((name) => Number(/^out\.(\d+)$/.exec(name)?.[1] ?? 0))
  const dump = await readFile(join(folder, `out.${Math.max(...numbers)}`), 'utf8')
  return Number(/^(?:totals|summary): (\d+)/m.exec(dump)?.[1])
}
