import { positiveInteger } from './positive-integer.js'
import { SpillwayError } from './spillway-error.js'
import type { Caller, Request, Ruling, Store } from './store.js'
import { after } from './timers.js'

/**
 * Makes a store answer within a time, whatever happens: a request that is not answered by then
 * rejects with `STORE_INDETERMINATE`. If it is allowed later after all, the cost is given back, as
 * nobody uses it.
 *
 * From then on the store counts as down: only one request at a time is sent to find out, and the
 * others reject at once with `STORE_UNAVAILABLE`, until it answers in time again.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad timeout
 */
export function withTimeout(store: Store, timeoutMs: number): Store {
  positiveInteger('timeoutMs', timeoutMs)
  let isDown = false
  let isProbed = false

  function within<T>(
    ask: (caller: Caller) => Promise<T>,
    tooLate: (answer: T) => void,
    outer?: Caller,
  ): Promise<T> {
    if (isDown && isProbed) return Promise.reject(knownDown(timeoutMs))
    const isProbe = isDown
    if (isProbe) isProbed = true
    let isOver = false
    const caller = {
      get gone() {
        return isOver || outer?.gone === true
      },
    }
    return new Promise((resolve, reject) => {
      const timer = after(timeoutMs, () => {
        isOver = true
        isDown = true
        if (isProbe) isProbed = false
        reject(unanswered(timeoutMs))
      })
      const settle = (how: () => void): void => {
        if (isOver) return
        timer.cancel()
        isDown = false
        isProbed = false
        how()
      }
      ask(caller).then(
        (answer) => {
          if (isOver) {
            isDown = false
            tooLate(answer)
          } else settle(() => resolve(answer))
        },
        (error: unknown) => settle(() => reject(error)),
      )
    })
  }

  return {
    decide: (request, outer) =>
      within(
        (caller) => store.decide(request, caller),
        (ruling) => giveBackUnused(store, request, ruling),
        outer,
      ),
    forget: (keys) =>
      within(
        () => store.forget(keys),
        () => {},
      ),
  }
}

/** Gives back what was consumed for a caller who has gone; whether that works, nobody can be told. */
function giveBackUnused(store: Store, { mode, targets }: Request, ruling: Ruling): void {
  if (mode !== 'consume' || !ruling.allowed) return
  const used = targets.flatMap((target, i) => {
    const { allowed, receipt } = ruling.targets[i]!
    return allowed ? [{ ...target, receipt }] : []
  })
  ;(ruling.countedBy ?? store).decide({ mode: 'giveBack', targets: used }).catch(() => {})
}

function unanswered(timeoutMs: number): SpillwayError {
  const cause = new Error(`no answer within ${timeoutMs} ms`)
  return new SpillwayError(
    'STORE_INDETERMINATE',
    `The store did not answer within ${timeoutMs} ms, so the request may have been counted`,
    { cause },
  )
}

function knownDown(timeoutMs: number): SpillwayError {
  const cause = new Error(`the last answer took more than ${timeoutMs} ms`)
  return new SpillwayError(
    'STORE_UNAVAILABLE',
    'The store is known to be down and was not asked, so nothing was counted',
    { cause },
  )
}
