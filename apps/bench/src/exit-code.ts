/** What the exit codes mean. Whether bars hold is not among them: they are read, not enforced. */
export const exitCode = {
  /** It was asked for something it does not have. */
  usage: 2,
  /** There are no figures: no Redis is at hand. */
  noResult: 3,
  /** A bug of its own. */
  bug: 70,
  interrupted: 130,
} as const
