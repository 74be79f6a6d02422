/** Why a run has come to no result, in one line for people: Redis is gone, say. The lab's one error. */
export class NoResult extends Error {
  override readonly name = 'NoResult'
}
