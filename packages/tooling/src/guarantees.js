import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { guaranteeTables } from './guarantee-tables.js'
import { leftToWrite } from './left-to-write.js'
import { withMarkedBlock } from './marked-block.js'
import { publicPackages, workspaceRoot } from './workspace.js'

// Algorithms are found by their folders: a new one brings its `guarantees.json` and its README with the marks.
const update = process.argv.includes('--update')
const algorithms = publicPackages().filter(({ folder }) => folder.startsWith('packages/algo-'))
const unwritten = algorithms.flatMap(({ dir, folder }) =>
  ['README.md', 'guarantees.json', ...readdirSync(join(dir, 'src')).map((name) => `src/${name}`)]
    .filter((name) => /\.(md|json|ts|lua)$/.test(name) && existsSync(join(dir, name)))
    .flatMap((name) => leftToWrite(`${folder}/${name}`, readFileSync(join(dir, name), 'utf8'))),
)
if (unwritten.length > 0) {
  console.error(`${unwritten.join('\n')}\nWrite these first: no table was looked at or written.`)
  process.exit(1)
}

/** @type {import('./guarantee-tables.js').Row[]} */
const all = []
let changed = 0
for (const { dir, folder } of algorithms) {
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
