import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicPackages, workspacePackages, workspaceRoot } from '../src/workspace.js'

const sourcesOf = (dir: string, ending: RegExp): string[] =>
  (existsSync(join(dir, 'src'))
    ? readdirSync(join(dir, 'src'), { recursive: true, encoding: 'utf8' })
    : []
  )
    .filter((name) => ending.test(name))
    .map((name) => join(dir, 'src', name))

/** The code without comments and strings, which may well mention what the code must not do. */
const code = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/`(?:[^`\\]|\\.)*`/g, '``')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")

const shown = (files: readonly string[]): string[] =>
  files.map((file) => relative(workspaceRoot, file))

describe.each(workspacePackages())('$folder', ({ folder, dir, manifest }) => {
  const sources = sourcesOf(dir, /\.(ts|js)$/)

  test('has a README that begins with its name', () => {
    const readme = join(dir, 'README.md')
    expect(existsSync(readme), `${folder}/README.md`).toBe(true)
    expect(readFileSync(readme, 'utf8').split('\n')[0]).toBe(`# ${manifest.name}`)
  })

  test('is named after its folder, is an ES module and says what it needs', () => {
    expect(manifest).toMatchObject({
      name: `@spillway/${basename(dir)}`,
      type: 'module',
      sideEffects: false,
      license: 'MIT',
      engines: { node: '>=20.19' },
    })
    expect(manifest.description).toMatch(/\S/)
  })

  test('has tests and type checks', () => {
    expect(manifest.scripts).toMatchObject({
      test: 'vitest run',
      typecheck: 'tsc --noEmit && tsc --noEmit -p test',
    })
  })

  test('index.ts only re-exports', () => {
    const index = join(dir, 'src/index.ts')
    if (!existsSync(index)) return
    const rest = code(index).replace(/export\s+(type\s+)?(\*|\{[^}]*\})\s+from\s+''/g, '')
    expect(rest.replaceAll(';', '').trim()).toBe('')
  })

  test('has no default exports', () => {
    const found = sources.filter((file) => /\bexport\s+default\b|\bas\s+default\b/.test(code(file)))
    expect(shown(found)).toEqual([])
  })

  test('reads the time only in the file of a clock', () => {
    const timeReading = /\bDate\.now\b|\bnew Date\(\)/
    const found = sources
      .filter((file) => timeReading.test(code(file)))
      .filter((file) => !basename(file).includes('clock'))
    expect(shown(found)).toEqual([])
  })

  test('keeps file names in kebab-case, and has no utils', () => {
    const odd = [...sources, ...sourcesOf(dir, /\.lua$/)].filter(
      (file) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*\.(ts|js|lua)$/.test(basename(file)) ||
        /^(utils?|helpers?|misc|common)\./.test(basename(file)),
    )
    expect(shown(odd)).toEqual([])
  })
})

describe.each(publicPackages())('$folder is fit to publish:', ({ folder, dir, manifest }) => {
  const scripts = sourcesOf(dir, /\.lua$/).map((file) => basename(file))

  test('it says whose it is and ships its build and its source', () => {
    expect(manifest.repository).toMatchObject({ directory: folder })
    expect(manifest.files).toEqual(['dist', 'src'])
    expect(manifest.publishConfig?.access).toBe('public')
    expect(manifest.scripts?.build).toBe('spillway-build')
  })

  test('it exports its build, its package.json and each of its Lua scripts', () => {
    const extra = {
      ...Object.fromEntries(scripts.map((name) => [`./${name}`, `./src/${name}`])),
      './package.json': './package.json',
    }
    const built = { types: './dist/index.d.ts', default: './dist/index.js' }
    expect(manifest.publishConfig?.exports).toEqual({ '.': built, ...extra })
    // In the workspace alone, a condition of our own leads to the source.
    expect(manifest.exports).toEqual({
      '.': { '@spillway/source': './src/index.ts', ...built },
      ...extra,
    })
  })

  test('it depends on few things, and only in the direction of core', () => {
    const dependencies = Object.keys(manifest.dependencies ?? {}).sort()
    expect(allowedDependencies(basename(dir))).toEqual(expect.arrayContaining(dependencies))
  })

  test('its Lua says what it is in an opening comment', () => {
    for (const name of scripts)
      expect(readFileSync(join(dir, 'src', name), 'utf8'), name).toMatch(/^--/)
  })
})

/** Arrows point one way: `algo-* → core`, `adapter-* → store-redis → core`. Clients are peers, the user's own. */
function allowedDependencies(name: string): string[] {
  if (name === 'core') return []
  if (name === 'conformance') return ['@spillway/core', 'fast-check']
  if (name === 'algo-token-bucket') return ['@spillway/algo-gcra', '@spillway/core'] // the same rule
  if (name.startsWith('adapter-')) return ['@spillway/core', '@spillway/store-redis']
  return ['@spillway/core']
}
