import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { luaText } from '@spillway/tooling/lua-text'
import { build } from 'rolldown'

/** The lab as a program of its own, in a folder outside the checkout. */
export interface BuiltLab {
  /** That folder: run from there, the lab does not find the Redis that tests have fetched. */
  readonly folder: string
  start(args: readonly string[], options?: StartOptions): LabRun
  remove(): Promise<void>
}

interface StartOptions {
  /** Default: the checkout. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

interface LabRun {
  readonly process: ChildProcess
  /** Resolves when standard error has this text in it. */
  said(text: string): Promise<void>
  readonly ended: Promise<LabEnd>
}

interface LabEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const app = fileURLToPath(new URL('..', import.meta.url))

/** Builds it from source, dependencies included: Node 20 runs no TypeScript. */
export async function builtLab(): Promise<BuiltLab> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-lab-'))
  const file = join(folder, 'cli.mjs')
  await build({
    input: join(app, 'src/cli.ts'),
    platform: 'node',
    logLevel: 'silent',
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
    start: (args, { cwd = join(app, '../..'), env = {} } = {}) => {
      const { REDIS_URL: _, ...inherited } = process.env
      return started(
        spawn(process.execPath, [file, ...args], {
          cwd,
          env: { ...inherited, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      )
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function started(child: ChildProcess): LabRun {
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    for (const look of waiting) look()
  })
  const ended = new Promise<LabEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return {
    process: child,
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!stderr.includes(text)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
        void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${stderr}`)), reject)
      }),
  }
}
