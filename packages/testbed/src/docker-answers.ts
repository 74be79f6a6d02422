import { runCommand } from './run-command.js'

/** Whether a `docker` with a running engine is at hand; a client without one says no within milliseconds. */
export async function dockerAnswers(): Promise<boolean> {
  const { code, stdout } = await runCommand('docker', ['info', '--format', '{{.ServerVersion}}'], {
    timeoutMs: 5_000,
  })
  return code === 0 && stdout.trim() !== ''
}
