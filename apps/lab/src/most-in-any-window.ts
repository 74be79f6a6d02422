/** When requests were let through. Each was decided somewhere between its two times. */
export interface AdmittedTimes {
  /** When each was sent: microseconds. */
  readonly sentUs: readonly number[]
  /** When each was answered, in any order: microseconds. */
  readonly answeredUs: readonly number[]
}

/**
 * The most requests that were certainly let through in one window, wherever it starts: the check on
 * the limiter, which knows nothing of how it decides.
 *
 * A request's own moment lies between its sending and its answer. So a window that starts at a
 * sending surely holds all that was answered before its end, less what was sent before its start.
 * What may lie on either side of an edge is never held against the limiter; with one moment for both
 * times the count is exact.
 */
export function mostInAnyWindow(admitted: AdmittedTimes, windowUs: number): number {
  const sent = Float64Array.from(admitted.sentUs).sort()
  const answered = Float64Array.from(admitted.answeredUs).sort()
  let most = 0
  let answeredInTime = 0
  for (let sentBefore = 0; sentBefore < sent.length; sentBefore++) {
    const end = sent[sentBefore]! + windowUs
    while (answered[answeredInTime]! < end) answeredInTime++
    most = Math.max(most, answeredInTime - sentBefore)
  }
  return most
}
