import type { AbortSignalLike } from './limiter.js'
import { SpillwayError } from './spillway-error.js'
import type { Caller } from './store.js'
import { after, monotonicMs } from './timers.js'

/** How long a caller waits: until a time, or until its signal is aborted. */
export interface Patience {
  /** Settles as the promise does, unless patience ends first: then it rejects with the reason. */
  until<T>(promise: Promise<T>): Promise<T>
  /** Whether so long a wait fits into what is left. */
  bears(ms: number): boolean
  /**
   * Resolves after so long, or as soon as it is woken. Rejects at once if patience cannot bear the
   * whole of it.
   */
  sleep(ms: number, woken?: Promise<void>): Promise<void>
  /** The caller, as stores see it. */
  readonly caller: Caller
  /** Stops watching. Call it when nothing is waited for any more. */
  end(): void
}

/** Starts a caller's patience. */
export function startPatience(
  signal: AbortSignalLike | undefined,
  timeoutMs: number | undefined,
): Patience {
  const start = monotonicMs()
  let isOver = false
  let giveUp = (_reason: unknown): void => {}
  const over = new Promise<never>((_, reject) => {
    giveUp = (reason) => {
      isOver = true
      reject(reason)
    }
  })
  over.catch(() => {}) // whoever waits is told by `until` or `sleep`; perhaps nobody does
  const abort = (): void => giveUp(signal?.reason ?? new Error('the wait was aborted'))
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)
  const timer =
    timeoutMs === undefined
      ? undefined
      : after(timeoutMs, () => giveUp(timedOut(`it was not granted within ${timeoutMs} ms`)))

  function until<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([over, promise])
  }

  function bears(ms: number): boolean {
    return timeoutMs === undefined || monotonicMs() - start + ms <= timeoutMs
  }

  return {
    until,
    bears,
    caller: {
      get gone() {
        return isOver
      },
    },
    async sleep(ms, woken) {
      if (!bears(ms)) {
        const left = Math.max(0, Math.floor(timeoutMs! - (monotonicMs() - start)))
        throw timedOut(`it would be a wait of ${ms} ms, and of ${timeoutMs} ms ${left} are left`)
      }
      if (ms === 0) return
      let wake = (): void => {}
      const slept = new Promise<void>((resolve) => {
        wake = resolve
      })
      const nap = after(ms, wake)
      await until(woken === undefined ? slept : Promise.race([slept, woken])).finally(nap.cancel)
    },
    end() {
      timer?.cancel()
      signal?.removeEventListener('abort', abort)
    },
  }
}

function timedOut(why: string): SpillwayError {
  return new SpillwayError('TIMED_OUT', `acquire gave up: ${why}`)
}
