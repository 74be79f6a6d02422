// The host's own, which every JavaScript host has, though no version of the language does.
declare function setTimeout(callback: () => void, ms: number): unknown
declare function clearTimeout(timer: unknown): void
declare const performance: { now(): number }

/** Milliseconds on a clock that never steps. */
export function monotonicMs(): number {
  return performance.now()
}

/** A timer that has not yet called. */
export interface Timer {
  cancel(): void
}

// Longer delays overflow a host's timer, which then fires at once.
const longestMs = 2 ** 31 - 1

/** Calls back once so much time has really passed: a host's timer may fire a little early. */
export function after(ms: number, callback: () => void): Timer {
  const end = monotonicMs() + ms
  let timer: unknown
  const wait = (): void => {
    const left = end - monotonicMs()
    if (left <= 0) callback()
    else timer = setTimeout(wait, Math.min(Math.ceil(left), longestMs))
  }
  timer = setTimeout(wait, Math.min(ms, longestMs))
  return { cancel: () => clearTimeout(timer) }
}
