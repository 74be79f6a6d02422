/**
 * The promise of a rule that lets `capacity` units through at once and `limit` more per window,
 * each as soon as its share of the window is over: a `Policy.most`.
 *
 * @param intervalUs any number of at least 0, `Infinity` too: what is between two microseconds
 *   reaches as far as the next
 */
export function mostAtRate(
  intervalUs: number,
  limit: number,
  windowMs: number,
  capacity: number,
): number {
  if (intervalUs <= 0) return 0
  if (intervalUs === Number.POSITIVE_INFINITY) return intervalUs
  const between = BigInt(Math.ceil(intervalUs)) - 1n // the first and the last are this far apart
  return capacity + Number((between * BigInt(limit)) / BigInt(windowMs * 1000))
}
