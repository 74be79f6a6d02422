import { SpillwayError } from '@spillway/core'

/** Replies by which Redis refuses a command before it runs, so that nothing can have been counted. */
const refusals = new Set([
  'ASK',
  'BUSY',
  'CLUSTERDOWN',
  'CROSSSLOT',
  'LOADING',
  'MASTERDOWN',
  'MOVED',
  'NOAUTH',
  'NOPERM',
  'NOSCRIPT',
  'TRYAGAIN',
])

/** Refusals of a call whose keys are about to be, or have been, moved to another node. */
const redirections = new Set(['ASK', 'MOVED', 'TRYAGAIN'])

/** Whether the server does not know the script. */
export function isNoScript(error: unknown): boolean {
  return replyCode(error) === 'NOSCRIPT'
}

/** Whether the call may go through when its requests are sent one by one. */
export function isRedirection(error: unknown): boolean {
  return redirections.has(replyCode(error))
}

/** The error of a call that the driver rejected with `cause`. */
export function callFailed(driver: string, cause: unknown): SpillwayError {
  return refusals.has(replyCode(cause))
    ? unavailable(`Redis refused the call`, cause)
    : new SpillwayError(
        'STORE_INDETERMINATE',
        `${driver} lost the call or its answer, so it may have been counted: ${messageOf(cause)}`,
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
  return error instanceof Error ? error.message : String(error)
}
