/**
 * What went wrong, for programs:
 * `REDIS_NOT_FOUND` (none at hand, and none could be fetched), `START_FAILED` (it ended or never answered), `PORT_TAKEN`
 * (another process was quicker), `NOT_OWN` (refused on a server that is the user's), `UNREACHABLE` (no connection, or it
 * broke before the reply), `REPLY` (Redis answered with an error; the message is Redis's own, `MOVED 42 …` say) and
 * `TIMEOUT`.
 */
export type TestbedErrorCode =
  | 'REDIS_NOT_FOUND'
  | 'START_FAILED'
  | 'PORT_TAKEN'
  | 'NOT_OWN'
  | 'UNREACHABLE'
  | 'REPLY'
  | 'TIMEOUT'

/** The one error of this package. */
export class TestbedError extends Error {
  override readonly name = 'TestbedError'
  readonly code: TestbedErrorCode

  constructor(code: TestbedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
