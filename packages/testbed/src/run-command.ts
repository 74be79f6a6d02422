import { execFile } from 'node:child_process'

/** How a command ended: `code` is null when it could not be started, or was killed (it took too long, say). */
export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: five minutes. */
  readonly timeoutMs?: number
}

/** Runs a program without a shell and without a terminal; never rejects. English messages (`LC_ALL=C`), since we read them. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: { ...process.env, ...options.env, LC_ALL: 'C' },
        timeout: options.timeoutMs ?? 300_000,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
        resolve({ code, stdout, stderr: stderr || (error?.message ?? '') })
      },
    )
    child.stdin?.end()
  })
}
