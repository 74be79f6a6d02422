import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { luaText } from '@spillway/tooling/lua-text'
import { build } from 'rolldown'

/** The benchmark as a program of its own. */
export interface BuiltBench {
  readonly folder: string
  run(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>
  remove(): Promise<void>
}

const app = fileURLToPath(new URL('..', import.meta.url))

/** Builds it and our packages from source; peers and drivers stay where they are installed. */
export async function builtBench(): Promise<BuiltBench> {
  const folder = await mkdtemp(join(app, 'node_modules/.test-'))
  const file = join(folder, 'cli.mjs')
  await build({
    input: join(app, 'src/cli.ts'),
    platform: 'node',
    logLevel: 'silent',
    external: (id) => !/^(\.|\/|@spillway\/)/.test(id),
    resolve: { conditionNames: ['@spillway/source', 'node', 'import', 'default'] },
    plugins: [luaText()],
    output: {
      dir: folder,
      entryFileNames: 'cli.mjs',
      chunkFileNames: '[name]-[hash].mjs',
      format: 'esm',
    },
  })
  return {
    folder,
    run: (args) =>
      new Promise((resolve) => {
        execFile(
          process.execPath,
          [file, ...args],
          { maxBuffer: 2 ** 26 },
          (error, stdout, stderr) => {
            const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1
            resolve({ code, stdout, stderr })
          },
        )
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
