import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.js'
import { redisCommand } from './redis-command.js'
import type { RedisSource } from './redis-source.js'
import { runCommand } from './run-command.js'
import { TestbedError } from './testbed-error.js'
import { startWatchdog, type Watchdog } from './watchdog.js'

type ProcessSignal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'

/** One Redis process of a site. */
interface SiteProcess {
  /** Its pid where it runs: on this machine, or inside the container. */
  readonly pid: number
  /** Sends a signal; after `SIGKILL` it resolves when the process is gone. */
  signal(name: ProcessSignal): Promise<void>
}

export interface ProcessOptions {
  readonly port: number
  /** A sentinel is the same binary, which wants a configuration file it may write. */
  readonly sentinel?: boolean
  readonly args?: readonly string[]
  /** A command that runs the server, and its arguments. Not in a container. */
  readonly under?: readonly string[]
}

/** A place where Redis processes run and see each other as 127.0.0.1: a temporary folder here, or one container. */
export interface Site {
  /**
   * Starts a process and waits until it answers; on a port used before, it finds its folder as it was left.
   *
   * @throws TestbedError `PORT_TAKEN` or `START_FAILED`, with the end of the server's log
   */
  run(options: ProcessOptions): Promise<SiteProcess>
  /** Kills every process and removes what they wrote. */
  close(): Promise<void>
}

/**
 * Opens a site for servers on the given ports.
 *
 * Whatever ends this process ends the site: see the watchdog. Nothing in it keeps this process alive, or prints.
 */
export async function openSite(
  source: Exclude<RedisSource, { kind: 'url' }>,
  ports: readonly number[],
): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-'))
  return source.kind === 'docker'
    ? openContainer(folder, ports)
    : openFolder(folder, source.path, source.env ?? {})
}

function openFolder(folder: string, path: string, env: Readonly<Record<string, string>>): Site {
  const watchdog = startWatchdog(['kill', '-9'], folder)
  const running = new Set<ChildProcess>()
  const watchAll = (): void => watchdog.watch([...running].map((child) => String(child.pid)))

  const run = async (options: ProcessOptions): Promise<SiteProcess> => {
    const { port } = options
    const cwd = join(folder, String(port))
    mkdirSync(cwd, { recursive: true })
    const args = serverArgs(options, '127.0.0.1')
    const config = join(cwd, 'sentinel.conf')
    if (options.sentinel && !existsSync(config)) writeFileSync(config, sentinelConfig(options))
    const [program, ...rest] = [...(options.under ?? []), path, ...args]
    const child = spawnLogged(program!, rest, { cwd, env, log: join(folder, `${port}.log`) })
    running.add(child.process)
    watchAll()
    child.process.once('exit', () => {
      running.delete(child.process)
      watchAll()
    })
    // The pid tells our server from another one that took the port a moment before ours.
    const pid = await ready(child, options, (found) => found === child.process.pid)
    return {
      pid,
      signal: async (name) => {
        child.process.kill(name)
        if (name === 'SIGKILL') await ended(child.process)
      },
    }
  }
  return { run, close: () => closeSite(folder, watchdog, () => killAll(running)) }
}

async function killAll(running: ReadonlySet<ChildProcess>): Promise<void> {
  const children = [...running]
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(ended))
}

const IMAGE = 'redis:8'

/** All servers of a site share one container, so that 127.0.0.1 and the same ports lead to them from inside and outside. */
async function openContainer(folder: string, ports: readonly number[]): Promise<Site> {
  const name = `spillway-${randomBytes(6).toString('hex')}`
  const watchdog = startWatchdog(['docker', 'rm', '-f'], folder)
  watchdog.watch([name])
  const close = (): Promise<void> =>
    closeSite(folder, watchdog, async () => void (await runCommand('docker', ['rm', '-f', name])))

  const published = ports.flatMap((port) => ['-p', `127.0.0.1:${port}:${port}`])
  const started = await runCommand('docker', [
    ...['run', '-d', '--rm', '--init', '--name', name, ...published, IMAGE, 'sleep', 'infinity'],
  ])
  if (started.code !== 0) {
    await close()
    throw startFailure('docker run', started.stderr)
  }

  const run = async (options: ProcessOptions): Promise<SiteProcess> => {
    const { port } = options
    const script = [
      `folder="\${TMPDIR:-/tmp}/spillway/${port}" && mkdir -p "$folder" && cd "$folder"`,
      ...(options.sentinel ? ['{ [ -f sentinel.conf ] || printf %s "$0" > sentinel.conf; }'] : []),
      'exec redis-server "$@"',
    ].join(' && ')
    const inside = ['sh', '-c', script, sentinelConfig(options), ...serverArgs(options, '0.0.0.0')]
    const child = spawnLogged('docker', ['exec', name, ...inside], {
      cwd: folder,
      env: {},
      log: join(folder, `${port}.log`),
    })
    const pid = await ready(child, options, () => true)
    return {
      pid,
      signal: async (signal) => {
        await runCommand('docker', [
          ...['exec', name, 'sh', '-c', `kill -${signal.slice(3)} ${pid}`],
        ])
        if (signal === 'SIGKILL') await ended(child.process)
      },
    }
  }
  return { run, close }
}

async function closeSite(
  folder: string,
  watchdog: Watchdog,
  killProcesses: () => Promise<void>,
): Promise<void> {
  await killProcesses()
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  watchdog.dismiss()
}

function serverArgs(options: ProcessOptions, bind: string): string[] {
  if (options.sentinel) return ['sentinel.conf', '--sentinel']
  return [
    ...['--port', String(options.port), '--bind', bind, '--protected-mode', 'no'],
    ...['--save', '', '--appendonly', 'no', '--dir', '.', '--daemonize', 'no'],
    ...(options.args ?? []),
  ]
}

function sentinelConfig({ port, sentinel }: ProcessOptions): string {
  return sentinel ? `port ${port}\nprotected-mode no\n` : 'none'
}

interface LoggedProcess {
  readonly process: ChildProcess
  readonly log: () => string
}

function spawnLogged(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; log: string },
): LoggedProcess {
  const output = openSync(options.log, 'w')
  // Detached: a Ctrl-C in our terminal is for us to answer, and the server may still be needed while we do.
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  child.unref()
  let failure = ''
  child.once('error', (error) => {
    failure = error.message
  })
  return { process: child, log: () => failure || readFileSync(options.log, 'utf8') }
}

/** Resolves with the server's own pid when it answers as itself. */
async function ready(
  { process: child, log }: LoggedProcess,
  options: ProcessOptions,
  isOurs: (pid: number) => boolean,
): Promise<number> {
  const url = serverUrl(options)
  return eventually(`redis on port ${options.port} to be ready`, async () => {
    if (hasEnded(child)) throw startFailure('redis', log())
    const info = await redisCommand(url, ['INFO', 'server'], 1_000)
    const pid = Number(/^process_id:(\d+)/m.exec(String(info))?.[1])
    return isOurs(pid) ? pid : undefined
  }).catch(async (error: unknown) => {
    child.kill('SIGKILL')
    throw error instanceof TestbedError && error.code === 'TIMEOUT'
      ? startFailure('redis did not answer in time', log())
      : error
  })
}

/** The address of a server by its options, `--requirepass` among them. */
export function serverUrl({ port, args = [] }: ProcessOptions): string {
  const password = args[args.indexOf('--requirepass') + 1]
  const user = args.includes('--requirepass') && password ? `:${encodeURIComponent(password)}@` : ''
  return `redis://${user}127.0.0.1:${port}`
}

function startFailure(what: string, log: string): TestbedError {
  const tail = log.trim().split('\n').slice(-5).join('\n')
  return /address already in use|already allocated|failed listening/i.test(log)
    ? new TestbedError('PORT_TAKEN', `${what}: ${tail}`)
    : new TestbedError('START_FAILED', `${what} failed to start: ${tail}`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined
}

/** Waits for a process to end; while somebody waits, it does keep this process alive. */
function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return Promise.resolve()
  return new Promise((resolve) => {
    child.ref()
    child.once('exit', () => resolve())
  })
}
