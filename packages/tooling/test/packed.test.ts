import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeTool } from '../src/node-tool.js'
import { publicPackages, readManifest, type WorkspacePackage } from '../src/workspace.js'

const run = promisify(execFile)
const packages = publicPackages()

/** An empty project of somebody else's, outside the workspace. */
let project = ''

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'spillway-packed-'))
  const tarballs: Record<string, string> = {}
  for (const one of packages) tarballs[one.manifest.name] = `file:${await pack(one)}`
  const clients = Object.assign({}, ...packages.map(({ manifest }) => manifest.peerDependencies))
  await write('package.json', {
    name: 'somebody-elses',
    private: true,
    type: 'module',
    dependencies: { ...tarballs, ...clients, '@types/node': '^20.19.0' },
  })
  // No hoisting: what a package does not declare, it does not find. The overrides stand for the registry.
  await write('pnpm-workspace.yaml', { packages: ['.'], hoist: false, overrides: tarballs })
  await pnpm(project, ['install'])
}, 180_000)

afterAll(() => rm(project, { recursive: true, force: true }))

describe.each(packages)('$manifest.name, packed and installed elsewhere,', ({ dir, manifest }) => {
  const { name } = manifest
  const installed = () => join(project, 'node_modules', name)
  const peers = Object.keys(manifest.peerDependencies ?? {})

  test('exports by import what its source exports', async () => {
    expect(await printed(`import * as all from '${name}'; ${print('all')}`)).toEqual(
      await sourceExports(dir),
    )
  })

  test('exports by require() the same', async () => {
    expect(await printed(print(`require('${name}')`), 'commonjs')).toEqual(await sourceExports(dir))
  })

  test('has types for plain tsc, with library checks on', async () => {
    const file = `types-of-${name.replace(/\W+/g, '-')}`
    await write(
      `${file}.ts`,
      `import * as all from '${name}'\nexport const names = Object.keys(all)\n`,
    )
    await write(
      `${file}.cts`,
      `import all = require('${name}')\nexport const names = Object.keys(all)\n`,
    )
    // Only what talks to Redis may need the types of Node: they come with the client.
    await tsc([`${file}.ts`, `${file}.cts`], peers.length > 0 ? ['node'] : [])
  })

  test('publishes no trace of the workspace', async () => {
    const text = await readFile(join(installed(), 'package.json'), 'utf8')
    expect(text).not.toMatch(/workspace:|catalog:|@spillway\/source/)
    expect(await readdir(installed())).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json', 'src']),
    )
    expect(existsSync(join(installed(), 'test'))).toBe(false)
  })

  test('ships every file its exports and source maps name', async () => {
    const targets = Object.values(readManifest(installed()).exports ?? {}).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    )
    const named = targets.map((target) => join(installed(), target))
    const dist = join(installed(), 'dist')
    for (const map of (await readdir(dist)).filter((file) => file.endsWith('.map'))) {
      const { sources } = JSON.parse(await readFile(join(dist, map), 'utf8')) as {
        sources: string[]
      }
      named.push(...sources.map((source) => resolve(dist, source)))
    }
    expect(named.length).toBeGreaterThan(targets.length)
    expect(named.filter((file) => !existsSync(file))).toEqual([])
  })
})

test.each(packages.filter(({ folder }) => folder.startsWith('packages/algo-')))(
  '$manifest.name names the first option that is missing, even without any',
  async ({ manifest: { name } }) => {
    const errors = await printed(`import * as all from '${name}'
      const errors = Object.values(all).map((factory) => {
        try { factory() } catch (error) { return [error.code, error.message] }
      })
      console.log(JSON.stringify(errors))`)
    const missing = /^\w+ must be .+, got undefined$/
    for (const error of errors as unknown[]) {
      expect(error).toEqual(['INVALID_ARGUMENT', expect.stringMatching(missing)])
    }
  },
)

test('a limiter of packed packages limits, in ESM and in CommonJS', async () => {
  const body = `
    const limiter = createLimiter({
      store: memoryStore(),
      policies: { api: slidingWindow({ limit: 2, window: '60s' }) },
    })
    export const outcome: Promise<boolean[]> = (async () => {
      const allowed: boolean[] = []
      for (let i = 0; i < 3; i += 1) {
        const decision = await limiter.consume('user:42')
        if (!decision.allowed) decision.retryAfterMs satisfies number
        allowed.push(decision.allowed)
      }
      return allowed
    })()
  `
  const imports = `import { createLimiter, memoryStore } from '@spillway/core'
    import { slidingWindow } from '@spillway/algo-sliding'`
  await write('consumer.mts', imports + body)
  await write('consumer.cts', imports + body)
  await tsc(['consumer.mts', 'consumer.cts'], [])
  const show = 'outcome.then((seen) => console.log(JSON.stringify(seen)))'
  const esm = `import { outcome } from './consumer.mjs'; ${show}`
  const commonJs = `const { outcome } = require('./consumer.cjs'); ${show}`
  expect(await printed(esm)).toEqual([true, true, false])
  expect(await printed(commonJs, 'commonjs')).toEqual([true, true, false])
})

async function pack({ dir, manifest }: WorkspacePackage): Promise<string> {
  if (!existsSync(join(dir, 'dist/index.js')))
    throw new Error(`${manifest.name} is not built: run \`pnpm build\` first`)
  const into = join(project, 'tarballs', manifest.name.replace(/\W+/g, '-'))
  await mkdir(into, { recursive: true })
  await pnpm(dir, ['pack', '--pack-destination', into])
  const [tarball] = await readdir(into)
  if (tarball === undefined) throw new Error(`${manifest.name}: pnpm pack made nothing`)
  return join(into, tarball)
}

/** Runs the pnpm that runs the tests; without one on the PATH, the one that the README names. */
async function pnpm(cwd: string, args: readonly string[]): Promise<void> {
  const shell = process.platform === 'win32'
  try {
    await run('pnpm', args, { cwd, shell }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return run('npx', ['-y', 'pnpm@12', ...args], { cwd, shell })
    })
  } catch (error) {
    throw failure(`pnpm ${args.join(' ')}`, error)
  }
}

/** Compiles files of the project as a user's strict project does: no condition of ours, no skipLibCheck. */
async function tsc(files: readonly string[], types: readonly string[]): Promise<void> {
  const config = `tsconfig.${files[0]}.json`
  await write(config, {
    compilerOptions: {
      target: 'ES2023',
      lib: ['ES2023'],
      module: 'nodenext',
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      rootDir: '.',
      types,
    },
    files,
  })
  try {
    await run(process.execPath, [nodeTool('typescript', 'tsc'), '-p', config], { cwd: project })
  } catch (error) {
    throw failure('tsc', error)
  }
}

/** What a program prints in the project, as JSON. */
async function printed(program: string, type: 'module' | 'commonjs' = 'module'): Promise<unknown> {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', program], {
    cwd: project,
  })
  return JSON.parse(stdout)
}

const print = (value: string): string => `console.log(JSON.stringify(Object.keys(${value}).sort()))`

async function sourceExports(dir: string): Promise<string[]> {
  const source: object = await import(pathToFileURL(join(dir, 'src/index.ts')).href)
  return Object.keys(source).sort()
}

async function write(file: string, content: string | object): Promise<void> {
  const path = join(project, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

/** A failed command's own words, which execFile keeps apart from its message. */
function failure(command: string, error: unknown): Error {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
  return new Error(`${command} failed:\n${stdout}${stderr}`, { cause: error })
}
