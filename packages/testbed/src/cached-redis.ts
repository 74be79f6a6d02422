import { readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { RedisSource } from './redis-source.js'
import { runCommand } from './run-command.js'

/** The Redis unpacked in `folder`, if there is one and it runs here. */
export async function cachedRedis(folder: string): Promise<RedisSource | undefined> {
  const libraries = await libraryFolders(folder)
  const inherited = process.env.LD_LIBRARY_PATH
  const env = {
    LD_LIBRARY_PATH: [...libraries, ...(inherited ? [inherited] : [])].join(delimiter),
  }
  for (const name of ['redis-server', 'valkey-server']) {
    const path = join(folder, 'usr', 'bin', name)
    const { code } = await runCommand(path, ['--version'], { env, timeoutMs: 10_000 })
    if (code === 0) return { kind: 'binary', path, env }
  }
  return undefined
}

/** Debian's multiarch folders (`usr/lib/x86_64-linux-gnu`) among others, whatever this machine calls its own. */
async function libraryFolders(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const parent of [join(folder, 'usr', 'lib'), join(folder, 'lib')]) {
    try {
      const entries = await readdir(parent, { withFileTypes: true })
      found.push(parent)
      for (const entry of entries) {
        if (entry.isDirectory() && entry.name.includes('-linux-')) {
          found.push(join(parent, entry.name))
        }
      }
    } catch {
      // This package brought no libraries there.
    }
  }
  return found
}
