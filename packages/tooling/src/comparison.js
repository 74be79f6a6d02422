import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withMarkedBlock } from './marked-block.js'
import { workspaceRoot } from './workspace.js'

// Puts what `pnpm lab compare` measures here and now into the root README: the table, and the picture it shows.
const readme = join(workspaceRoot, 'README.md')
const runApp = fileURLToPath(new URL('run-app.js', import.meta.url))
const { status, stdout } = spawnSync(
  process.execPath,
  [runApp, 'lab', 'compare', '--markdown', '--store', 'redis', '--svg', 'apps/lab/compare.svg'],
  { cwd: workspaceRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
)
if (status === 0) {
  writeFileSync(readme, withMarkedBlock(readFileSync(readme, 'utf8'), 'compare', stdout))
  console.log('wrote README.md and apps/lab/compare.svg')
} else process.exitCode = status ?? 1
