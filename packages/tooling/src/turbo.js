import { spawn } from 'node:child_process'
import { nodeTool } from './node-tool.js'
import { workspaceRoot } from './workspace.js'

/**
 * Runs turbo at the top of the workspace.
 *
 * @param {readonly string[]} args
 * @param {'show' | 'capture'} output `capture` keeps the terminal clean and returns what was printed
 * @returns {Promise<{ status: number, printed: string }>}
 */
export function turbo(args, output) {
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
    child.on('close', (status) => resolve({ status: status ?? 1, printed: stdout || stderr }))
  })
}
