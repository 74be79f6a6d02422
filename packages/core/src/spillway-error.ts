/**
 * Why a call failed:
 * - `INVALID_ARGUMENT`: misuse; the message names the option and the value received. Nothing was
 *   sent to the store.
 * - `CONTRACT_MISMATCH`: packages of different contract versions were installed together.
 * - `STORE_UNAVAILABLE`: the store could not be asked, or refused before counting: nothing was
 *   counted, so asking again is safe.
 * - `STORE_INDETERMINATE`: the answer was lost or makes no sense: the request may have been
 *   counted, so asking again may count it twice.
 * - `TIMED_OUT`: `acquire` gave up waiting. What it was granted meanwhile is given back, if the
 *   store can be reached.
 * - `NEVER_FITS`: `acquire` was asked for a cost that no wait can make fit. Nothing was counted.
 */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'CONTRACT_MISMATCH'
  | 'STORE_UNAVAILABLE'
  | 'STORE_INDETERMINATE'
  | 'TIMED_OUT'
  | 'NEVER_FITS'

/**
 * The one error of Spillway. Tell cases apart by `code`, never by the message. The two store
 * codes always carry the driver's own error as `cause`.
 */
export class SpillwayError extends Error {
  override readonly name = 'SpillwayError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

// Told by code and not by class, of which a store may have brought a copy of its own.
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Whether an error says that the caller is wrong, rather than the store. */
export function isMisuse(error: unknown): boolean {
  const misuse: readonly unknown[] = ['INVALID_ARGUMENT', 'CONTRACT_MISMATCH'] satisfies ErrorCode[]
  return misuse.includes(codeOf(error))
}

/** Whether an error says that nothing was counted. */
export function isUnavailable(error: unknown): boolean {
  return codeOf(error) === ('STORE_UNAVAILABLE' satisfies ErrorCode)
}

/** Whether an error says that the store is broken, rather than the request. */
export function isStoreFailure(error: unknown): boolean {
  return isUnavailable(error) || codeOf(error) === ('STORE_INDETERMINATE' satisfies ErrorCode)
}
