/** What the lab's exit codes mean: the README has them for people. */
export const exitCode = {
  /** What was promised held. */
  held: 0,
  /** The limit was broken. */
  broken: 1,
  /** The lab was asked for something it does not have. */
  usage: 2,
  /** There is no result: Redis cannot be reached or is gone, or this machine was too busy. */
  noResult: 3,
  /** A bug of the lab's own. */
  bug: 70,
} as const
