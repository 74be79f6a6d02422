import { decideOr } from './decide-or.js'
import { type Duration, durationMs } from './duration.js'
import { requireStore } from './require-store.js'
import type { Request, Ruling, Store } from './store.js'

/**
 * Lets everything through while the store fails: for limits that protect fairness rather than
 * safety. Such decisions carry the source `assumed`, and nothing is counted for them.
 *
 * Only questions are assumed (`consume`, `peek`): a refund or a charge that fails is an error.
 */
export function allowOnFailure(store: Store): Store {
  return assuming(store, (request) => assumed(request, true, 0))
}

/**
 * Denies everything while the store fails: for limits that protect safety. Such decisions carry
 * the source `assumed`.
 *
 * Only questions are assumed (`consume`, `peek`): a refund or a charge that fails is an error.
 *
 * @param retryAfter what a denied caller is told to wait. Default 1 s
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad duration
 */
export function denyOnFailure(store: Store, retryAfter: Duration = '1s'): Store {
  const wait = durationMs('retryAfter', retryAfter) * 1000
  return assuming(store, (request) => assumed(request, false, wait))
}

function assuming(store: Store, assume: (request: Request) => Ruling): Store {
  requireStore('store', store)
  return {
    decide: decideOr(store, assume),
    forget: (keys) => store.forget(keys),
  }
}

function assumed({ targets }: Request, allowed: boolean, wait: number): Ruling {
  const ruling = { allowed, remaining: 0, wait, reset: 0, receipt: 0 }
  const onlyShadows = targets.every(({ shadow }) => shadow)
  return { allowed: allowed || onlyShadows, targets: targets.map(() => ruling), source: 'assumed' }
}
