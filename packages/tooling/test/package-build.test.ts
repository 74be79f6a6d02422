import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import { packageBuild } from '../src/rolldown.js'

/** Builds a package of these files; what comes out is read by name. */
async function built(files: Record<string, string>): Promise<(name: string) => string> {
  const dir = mkdtempSync(join(tmpdir(), 'spillway-build-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const manifest = { name: 'x', dependencies: { declared: '1' }, peerDependencies: { client: '1' } }
  for (const [name, text] of Object.entries({
    'package.json': JSON.stringify(manifest),
    ...files,
  })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  await build(packageBuild(dir))
  return (name) => readFileSync(join(dir, 'dist', name), 'utf8')
}

test('a script is inlined without its comments', async () => {
  const read = await built({
    'src/rule.lua': "-- what it is\nreturn '--'\n",
    'src/index.ts': "import lua from './rule.lua'\nexport const rule: string = lua\n",
  })
  expect(read('index.js')).toContain(JSON.stringify("return '--'\n"))
  expect(read('index.js')).not.toContain('what it is')
})

test('what package.json declares, and what Node has, stays an import', async () => {
  const names = ['declared', 'declared/part', 'client', 'node:crypto']
  const read = await built({
    'src/index.ts': names.map((name, i) => `export * as a${i} from '${name}'`).join('\n'),
  })
  for (const name of names) expect(read('index.js')).toMatch(new RegExp(`from ["']${name}["']`))
})

test('an import of something undeclared is an error', async () => {
  const files = { 'src/index.ts': "export { rolldown } from 'rolldown'\n" }
  await expect(built(files)).rejects.toThrow('rolldown, which package.json does not declare')
})

test('source maps lead to the source', async () => {
  const read = await built({ 'src/index.ts': 'export const one: number = 1\n' })
  expect(JSON.parse(read('index.js.map')).sources).toEqual(['../src/index.ts'])
})

test('an app is built from cli.ts', async () => {
  const read = await built({ 'src/cli.ts': '#!/usr/bin/env node\nconsole.log(1)\n' })
  expect(read('cli.js')).toMatch(/^#!\/usr\/bin\/env node\n/)
})
