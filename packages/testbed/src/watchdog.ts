import { spawn } from 'node:child_process'

/** Cleans up after this process, should it end without doing so itself. */
export interface Watchdog {
  /** What to end when we are gone: replaces what was said before. */
  watch(names: readonly string[]): void
  /** Ends it. Nothing is killed. */
  dismiss(): void
}

// The shell's input is a pipe only we hold: however we end (return, exit, exception, Ctrl-C, SIGKILL), it ends too. The
// last line read then names the victims.
const SCRIPT = `
folder=$1; shift
while IFS= read -r line; do victims=$line; done
[ -z "$victims" ] || "$@" $victims >/dev/null 2>&1
[ -z "$folder" ] || rm -rf -- "$folder"
`

/**
 * Starts a shell that waits for this process to end, then runs `command` with the watched names, and removes `folder`.
 *
 * It has a session of its own, so that a Ctrl-C in our terminal does not end it first; and it keeps nothing alive.
 */
export function startWatchdog(command: readonly string[], folder: string): Watchdog {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'spillway-watchdog', folder, ...command], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const { stdin } = shell
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  // A shell that is gone already must not bring us down: there is nothing more to say to it.
  stdin.on('error', () => undefined)
  shell.on('error', () => undefined)
  return {
    watch: (names) => void stdin.write(`${names.join(' ')}\n`),
    dismiss: () => void shell.kill('SIGKILL'),
  }
}
