import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeTool } from '../src/node-tool.js'
import {
  publicPackages,
  readManifest,
  type WorkspacePackage,
  workspaceRoot,
} from '../src/workspace.js'

const run = promisify(execFile)
const packages = publicPackages()

/** An empty project of somebody else's, outside the workspace. */
let project = ''
/** What each package exports there, by the way it is asked for. */
let exported: Record<'import' | 'require', Record<string, string[]>>

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'spillway-packed-'))
  const tarballs = await pack()
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
  const names = JSON.stringify(packages.map(({ manifest }) => manifest.name))
  exported = {
    import: await printed(`const all = {}
      for (const name of ${names}) all[name] = Object.keys(await import(name)).sort()
      console.log(JSON.stringify(all))`),
    require: await printed(
      `const all = {}
      for (const name of ${names}) all[name] = Object.keys(require(name)).sort()
      console.log(JSON.stringify(all))`,
      'commonjs',
    ),
  }
}, 180_000)

afterAll(() => rm(project, { recursive: true, force: true }))

describe.each(packages)('$manifest.name, packed and installed elsewhere,', ({ dir, manifest }) => {
  const { name } = manifest
  const installed = () => join(project, 'node_modules', name)

  test('exports by import what its source exports', async () => {
    expect(exported.import[name]).toEqual(await sourceExports(dir))
  })

  test('exports by require() the same', async () => {
    expect(exported.require[name]).toEqual(await sourceExports(dir))
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

const hasPeers = ({ manifest }: WorkspacePackage) => manifest.peerDependencies !== undefined

// Only what talks to others' clients may need the types of Node, which come with them: each such package is on its own, so
// that none finds what another has brought. The rest brings nothing, and tsc starts once for all of it.
test.each([
  { what: 'whatever has no peer', of: packages.filter((one) => !hasPeers(one)) },
  ...packages.filter(hasPeers).map((one) => ({ what: one.manifest.name, of: [one] })),
])('$what has types for plain tsc, with library checks on', async ({ of }) => {
  const files = of.flatMap(({ manifest: { name } }) => {
    const file = `types-of-${name.replace(/\W+/g, '-')}`
    const use = 'export const names = Object.keys(all)'
    return [
      { name: `${file}.ts`, text: `import * as all from '${name}'\n${use}\n` },
      { name: `${file}.cts`, text: `import all = require('${name}')\n${use}\n` },
    ]
  })
  for (const { name, text } of files) await write(name, text)
  await tsc(
    files.map(({ name }) => name),
    of.some(hasPeers) ? ['node'] : [],
  )
})

test('every algorithm names the first option that is missing, even without any', async () => {
  const algorithms = packages
    .filter(({ folder }) => folder.startsWith('packages/algo-'))
    .map(({ manifest }) => manifest.name)
  const errors = await printed<unknown[][]>(`const errors = []
    for (const name of ${JSON.stringify(algorithms)}) {
      for (const factory of Object.values(await import(name))) {
        try { factory(); errors.push([name]) } catch (error) { errors.push([name, error.code, error.message]) }
      }
    }
    console.log(JSON.stringify(errors))`)
  expect(new Set(errors.map(([name]) => name))).toEqual(new Set(algorithms))
  const missing = /^\w+ must be .+, got undefined$/
  for (const error of errors) {
    expect(error).toEqual([error[0], 'INVALID_ARGUMENT', expect.stringMatching(missing)])
  }
})

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

/** Packs them all; returns where pnpm finds each, by its name. */
async function pack(): Promise<Record<string, string>> {
  for (const { dir, manifest } of packages) {
    if (!existsSync(join(dir, 'dist/index.js')))
      throw new Error(`${manifest.name} is not built: run \`pnpm build\` first`)
  }
  const into = join(project, 'tarballs')
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`)
  await pnpm(workspaceRoot, ['--recursive', ...filters, 'pack', '--pack-destination', into])
  return Object.fromEntries(
    packages.map(({ manifest: { name, version } }) => {
      const tarball = join(into, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
      if (!existsSync(tarball)) throw new Error(`pnpm pack did not make ${tarball}`)
      return [name, `file:${tarball}`]
    }),
  )
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
async function printed<T>(program: string, type: 'module' | 'commonjs' = 'module'): Promise<T> {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', program], {
    cwd: project,
  })
  return JSON.parse(stdout)
}

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
