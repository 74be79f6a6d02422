import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { guaranteeTables } from './guarantee-tables.js'
import { withMarkedBlock } from './marked-block.js'
import { publicPackages, workspaceRoot } from './workspace.js'

// Algorithms are found by their folders: a new one brings its `guarantees.json` and its README with the marks.
const update = process.argv.includes('--update')
/** @type {import('./guarantee-tables.js').Row[]} */
const all = []
let changed = 0
for (const { dir, folder } of publicPackages()) {
  if (!folder.startsWith('packages/algo-')) continue
  const path = join(dir, 'guarantees.json')
  if (!existsSync(path))
    throw new Error(
      `${folder}/guarantees.json is missing: see packages/tooling/templates/algorithm`,
    )
  /** @type {import('./guarantee-tables.js').Guarantee[]} */
  const guarantees = JSON.parse(readFileSync(path, 'utf8'))
  const module = await import(pathToFileURL(join(dir, 'dist/index.js')).href)
  const rows = guarantees.map((guarantee) => ({ guarantee, module }))
  all.push(...rows.map((row) => ({ ...row, link: folder })))
  put(`${folder}/README.md`, guaranteeTables(rows.map((row) => ({ ...row, link: '' }))))
}
put('README.md', guaranteeTables(all))

if (changed === 0) console.log('guarantees: every README says what the algorithms promise')
else if (!update) {
  console.error('Run `pnpm guarantees --update`, and review and commit the difference.')
  process.exitCode = 1
}

/**
 * @param {string} name
 * @param {string} tables
 */
function put(name, tables) {
  const file = join(workspaceRoot, name)
  const text = readFileSync(file, 'utf8')
  let put
  try {
    put = withMarkedBlock(text, 'guarantees', tables)
  } catch (cause) {
    throw new Error(`in ${name} ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  if (put === text) return
  changed += 1
  if (update) {
    writeFileSync(file, put)
    console.log(`wrote ${name}`)
  } else console.error(`${name} does not say what the algorithms promise`)
}
