import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiText } from './api-text.js'
import { publicPackages } from './workspace.js'

const update = process.argv.includes('--update')
let changed = 0
for (const { dir, folder, manifest } of publicPackages()) {
  const api = apiText(join(dir, 'dist'))
  const committed = join(dir, 'etc', 'api.d.ts')
  if (existsSync(committed) && readFileSync(committed, 'utf8') === api) continue
  changed += 1
  if (update) {
    mkdirSync(dirname(committed), { recursive: true })
    writeFileSync(committed, api)
    console.log(`${manifest.name}: wrote ${folder}/etc/api.d.ts`)
  } else {
    console.error(`${manifest.name}: its types differ from ${folder}/etc/api.d.ts`)
  }
}
if (changed === 0) console.log('api: every package has the types that were committed')
else if (!update) {
  console.error('Run `pnpm api --update`, and review and commit the difference.')
  process.exitCode = 1
}
