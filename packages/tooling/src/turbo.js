import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { nodeTool } from './node-tool.js'
import { workspaceRoot } from './workspace.js'

/**
 * Runs turbo at the top of the workspace.
 *
 * @param {readonly string[]} args
 * @param {'show' | 'capture'} output `capture` keeps the terminal clean and returns what was printed: on standard output, or
 *   everywhere if it failed
 * @returns {Promise<{ status: number, printed: string }>}
 */
export function turbo(args, output) {
  if (!pnpmIsOnPath()) {
    const printed = 'There is no pnpm on the PATH: put `npx -y pnpm@12` in front of the command.'
    if (output === 'show') console.error(printed)
    return Promise.resolve({ status: 1, printed })
  }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [nodeTool('turbo', 'turbo'), ...args], {
      cwd: workspaceRoot,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' },
      stdio: output === 'show' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.on('error', reject)
    child.on('close', (status) =>
      resolve({ status: status ?? 1, printed: status === 0 ? stdout : stdout + stderr }),
    )
  })
}

/** Turbo starts every task by it, and where it is missing says something else. */
function pnpmIsOnPath() {
  const names = process.platform === 'win32' ? ['pnpm.cmd', 'pnpm.exe'] : ['pnpm']
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
}
