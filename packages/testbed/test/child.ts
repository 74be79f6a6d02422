import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

/** Runs programs that use the testbed, in Node processes of their own. */
export interface Children {
  /** `code` is a module in which everything the bundle exports is in scope. */
  run(code: string): ChildProcess
  remove(): Promise<void>
}

/** Bundles a source file first: Node 20 runs no TypeScript. Within the package, since the cache is looked for from there. */
export async function bundleFor(source: string): Promise<Children> {
  const here = fileURLToPath(new URL('..', import.meta.url))
  const folder = join(here, 'node_modules', '.cache', `child-${process.pid}-${source}`)
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'bundle.mjs')
  await build({
    input: join(here, 'src', `${source}.ts`),
    platform: 'node',
    logLevel: 'silent',
    output: { file, format: 'esm' },
  })
  const header = `import * as all from ${JSON.stringify(pathToFileURL(file).href)}\nObject.assign(globalThis, all)\n`
  return {
    run: (code) =>
      spawn(process.execPath, ['--input-type=module', '-e', header + code], {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
