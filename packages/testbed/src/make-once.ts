import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface MakeOnceOptions<T> {
  /** The folder to appear, whole or not at all. */
  readonly folder: string
  /** Says what is there: undefined when it has to be made (or was made badly, and has to be replaced). */
  readonly look: () => Promise<T | undefined>
  /** Fills an empty folder beside the final one, which is renamed when this resolves. */
  readonly make: (workFolder: string) => Promise<void>
  /** Called when another process is at it, once for each. */
  readonly onWait?: (pid: number) => void
}

const PATIENCE_MS = 600_000

/**
 * Makes a folder once, however many processes ask at the same time.
 *
 * Correct by the rename alone: every maker works in a folder of its own, and the first to rename it wins. The lock beside
 * it only saves the others the work; so a lock broken by mistake costs a second download and nothing else. The lock of a
 * dead process is broken at once, and a living one is waited for ten minutes at most.
 */
export async function makeOnce<T>(options: MakeOnceOptions<T>): Promise<T> {
  const { folder, look } = options
  await mkdir(dirname(folder), { recursive: true })
  const lock = `${folder}.lock`
  let waitingFor: { readonly pid: number; readonly sinceMs: number } | undefined
  for (;;) {
    const present = await look()
    if (present !== undefined) return present
    if (await takeLock(lock)) {
      try {
        // Whoever held the lock before us may have finished between our look and our lock.
        return (await look()) ?? (await makeAndRename(options))
      } finally {
        await rm(lock, { force: true })
      }
    }
    const pid = await lockHolder(lock)
    if (pid !== undefined && pid !== waitingFor?.pid) {
      waitingFor = { pid, sinceMs: performance.now() }
      options.onWait?.(pid)
    }
    if (waitingFor && performance.now() - waitingFor.sinceMs > PATIENCE_MS) {
      await rm(lock, { force: true })
      waitingFor = undefined
    }
    await sleep(100)
  }
}

async function makeAndRename<T>({ folder, look, make }: MakeOnceOptions<T>): Promise<T> {
  const work = besides(folder, 'work')
  try {
    // Not mkdtemp: its folders are readable by their owner alone, and root may fetch what others run.
    await mkdir(work)
    await make(work)
    const old = besides(folder, 'old')
    await rename(folder, old).catch(() => undefined)
    await rename(work, folder).catch((error: unknown) => {
      // Somebody else's is there: as good as ours, if it passes the look below.
      if (!isCode(error, 'ENOTEMPTY') && !isCode(error, 'EEXIST')) throw error
    })
    await rm(old, { recursive: true, force: true })
    const made = await look()
    if (made === undefined) throw new Error(`what was put into ${folder} does not work here`)
    return made
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** A lock is a file naming its holder's pid, put in place by `link`, so that it never exists without its content. */
async function takeLock(lock: string): Promise<boolean> {
  const own = besides(lock, 'claim')
  await writeFile(own, String(process.pid))
  try {
    await link(own, lock)
    return true
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    return false
  } finally {
    await rm(own, { force: true })
  }
}

/** The living holder of a lock; a lock without one is removed. */
async function lockHolder(lock: string): Promise<number | undefined> {
  try {
    const pid = Number(await readFile(lock, 'utf8'))
    if (isAlive(pid)) return pid
    await rm(lock, { force: true })
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  return undefined
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, as somebody else.
    return isCode(error, 'EPERM')
  }
}

let counter = 0

function besides(path: string, purpose: string): string {
  counter += 1
  return join(dirname(path), `.${basename(path)}.${purpose}.${process.pid}.${counter}`)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
