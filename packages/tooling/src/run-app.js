import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { turbo } from './turbo.js'
import { workspaceRoot } from './workspace.js'

// `run-app.js lab break --json`: the app's name, and what is its own business.
const [app = '', ...given] = process.argv.slice(2)

// Stdout belongs to the app (`--json` is one document), so the build is silent unless it fails.
if (process.stderr.isTTY) process.stderr.write(`Getting the ${app} ready …`)
const built = await turbo(
  ['run', 'build', `--filter=@spillway/${app}`, '--output-logs=errors-only'],
  'capture',
)
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')

if (built.status !== 0) {
  process.stderr.write(`${built.printed.trim()}\nThe ${app} could not be built.\n`)
  process.exitCode = 70
} else {
  // `pnpm lab -- break` hands the dashes on.
  const args = given[0] === '--' ? given.slice(1) : given
  const cli = join(workspaceRoot, 'apps', app, 'dist/cli.js')
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'inherit' })

  // The app stops its Redis by itself: wait for it, and pass on what a terminal has not sent it already.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128 + constants.signals[signal])
  })
}
