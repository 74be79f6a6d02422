import { positiveInteger } from './positive-integer.js'
import { requireStore } from './require-store.js'
import { SpillwayError } from './spillway-error.js'
import type { Caller, Request, Ruling, Store } from './store.js'
import { after } from './timers.js'

/**
 * Makes a store answer within a time, whatever happens: a request that is not answered by then
 * rejects with `STORE_INDETERMINATE`. If it is allowed later after all, the cost is given back, as
 * nobody uses it.
 *
 * From then on the store counts as down: only one request at a time is sent to find out, and the
 * others reject at once with `STORE_UNAVAILABLE`, until one is answered in time.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad timeout, or something that is no store
 */
export function withTimeout(store: Store, timeoutMs: number): Store {
  requireStore('store', store)
  positiveInteger('timeoutMs', timeoutMs)
  let isDown = false
  /** The caller whose request is out to find whether the store is back. */
  let probe: Caller | undefined

  function within<T>(
    ask: (caller: Caller) => Promise<T>,
    isAnswer: (answer: T) => boolean,
    tooLate: (answer: T) => void,
    outer?: Caller,
  ): Promise<T> {
    if (isDown && probe !== undefined) return Promise.reject(knownDown(timeoutMs))
    let isOver = false
    const caller: Caller = {
      get gone() {
        return isOver || outer?.gone === true
      },
    }
    if (isDown) probe = caller
    return new Promise((resolve, reject) => {
      const timer = after(timeoutMs, () => {
        isOver = true
        isDown = true
        endProbe()
        reject(unanswered(timeoutMs))
      })
      ask(caller).then(
        (answer) => {
          if (isOver) return tooLate(answer)
          timer.cancel()
          endProbe()
          if (isAnswer(answer)) isDown = false
          resolve(answer)
        },
        (error: unknown) => {
          timer.cancel()
          endProbe()
          reject(error)
        },
      )
    })

    function endProbe(): void {
      if (probe === caller) probe = undefined
    }
  }

  return {
    decide: (request, outer) =>
      within(
        async (caller) => store.decide(request, caller),
        ({ source }) => source === 'store', // a deny cache or a fallback may answer while it is down
        (ruling) => giveBackUnused(store, request, ruling),
        outer,
      ),
    forget: (keys) =>
      within(
        async () => store.forget(keys),
        () => true,
        () => {},
      ),
  }
}

/** Gives back what was consumed for a caller who has gone; whether that works, nobody can be told. */
function giveBackUnused(store: Store, { mode, targets }: Request, ruling: Ruling): void {
  if (mode !== 'consume' || !ruling.allowed || ruling.source === 'assumed') return
  const used = targets.flatMap((target, i) => {
    const { allowed, receipt } = ruling.targets[i]!
    return allowed ? [{ ...target, receipt }] : []
  })
  if (used.length === 0) return
  const giveBack = async (by: Store) => by.decide({ mode: 'giveBack', targets: used })
  giveBack(ruling.countedBy ?? store).catch(() => {})
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
  const cause = new Error(`no answer within ${timeoutMs} ms to an earlier request`)
  return new SpillwayError(
    'STORE_UNAVAILABLE',
    'The store is known to be down and was not asked, so nothing was counted',
    { cause },
  )
}
