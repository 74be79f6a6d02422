import { SpillwayError } from '@spillway/core'
import type { RedisDriver } from './driver.js'

/** Replies by which Redis refuses a command before it runs, so that nothing can have been counted. */
const refusals = new Set([
  'ASK',
  'BUSY',
  'CLUSTERDOWN',
  'CROSSSLOT',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'MOVED',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'NOSCRIPT',
  'OOM',
  'READONLY',
  'TRYAGAIN',
])

/**
 * Refusals of any write, whatever it is: a call that meets one has not written before. Without
 * memory (OOM) Redis refuses only the first write of a script and lets one go on that has begun.
 */
const writeRefusals = new Set(['MISCONF', 'NOREPLICAS', 'OOM', 'READONLY'])

/** Refusals that may be due to some keys of a call: moved to another node, or not the user's. */
const keyRefusals = new Set(['ASK', 'MOVED', 'NOPERM', 'TRYAGAIN'])

/** Whether the server does not know the script. */
export function isNoScript(error: unknown): boolean {
  return replyCode(error) === 'NOSCRIPT'
}

/** Whether others of the call's requests may go through when they are sent one by one. */
export function mayConcernOne(error: unknown): boolean {
  return keyRefusals.has(replyCode(error))
}

/** Whether the error of a request that was writing says that nothing can be written. */
export function refusesWrites(error: Error): boolean {
  return writeRefusals.has(replyCode(error))
}

/** The error of a call that the driver rejected with `cause`. */
export function callFailed(driver: RedisDriver, cause: unknown): SpillwayError {
  if (refusals.has(replyCode(cause))) return unavailable('Redis refused the call', cause)
  if (driver.notExecuted?.(cause)) return unavailable(`${driver.name} gave up the call`, cause)
  return new SpillwayError(
    'STORE_INDETERMINATE',
    `${driver.name} lost the call or its answer, so it may have been counted: ${messageOf(cause)}`,
    { cause },
  )
}

/** The error of a call that was surely not executed. */
export function unavailable(what: string, cause: unknown): SpillwayError {
  return new SpillwayError(
    'STORE_UNAVAILABLE',
    `${what}, so nothing was counted: ${messageOf(cause)}`,
    { cause },
  )
}

/**
 * The code of an error that is a reply of Redis, which is the first word of its message: the one
 * place where a message is read, since neither driver hands the code over in another way.
 */
function replyCode(error: unknown): string {
  return /^[A-Z]+(?= |$)/.exec(messageOf(error))?.[0] ?? ''
}

function messageOf(error: unknown): string {
  // Node has no words of its own where none of a host's addresses answers, as those of localhost.
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}
