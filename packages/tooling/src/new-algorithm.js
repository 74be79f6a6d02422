import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderTemplate, ruleName } from './render-template.js'
import { workspaceRoot } from './workspace.js'

// `pnpm new:algorithm NAME`: a folder that builds and is linted, and that fails its laws until the
// rule is written.

const template = fileURLToPath(new URL('../templates/algorithm/', import.meta.url))

try {
  const name = ruleName(process.argv[2])
  const folder = `packages/algo-${name}`
  const dir = join(workspaceRoot, folder)
  if (existsSync(dir)) throw new RangeError(`${folder} exists already`)

  for (const path of readdirSync(template, { recursive: true, encoding: 'utf8' })) {
    if (!statSync(join(template, path)).isFile()) continue
    const target = join(dir, renderTemplate(path, name))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, renderTemplate(readFileSync(join(template, path), 'utf8'), name))
  }

  const pnpm = process.env.npm_execpath
  const [command, args] = pnpm?.endsWith('.js') ? [process.execPath, [pnpm]] : [pnpm ?? 'pnpm', []]
  const installed = spawnSync(
    command,
    [...args, 'install', '--prefer-offline', '--no-frozen-lockfile'],
    {
      cwd: workspaceRoot,
      encoding: 'utf8',
    },
  )
  if (installed.status !== 0) {
    throw new Error(
      `${folder} is made, but could not be installed:\n${installed.stdout}${installed.stderr}`,
    )
  }

  process.stdout.write(`${folder} is there. Now

  1. write the rule, in src/${name}.ts and src/${name}.lua: CONTRIBUTING.md walks through one
  2. pnpm test --filter=@spillway/algo-${name}   its laws on every store: red until it is written
  3. write what every TODO: asks for; pnpm guarantees --update lists those left, then writes the tables
  4. pnpm lint, pnpm api --update, pnpm changeset
`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = error instanceof RangeError ? 2 : 1
}
