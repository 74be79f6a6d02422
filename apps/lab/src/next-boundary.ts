/**
 * The next moment at which one window ends and another begins, at least `noticeUs` from now.
 *
 * Windows begin at multiples of their length since 1970, as those of `fixedWindow` do.
 */
export function nextBoundary(nowUs: number, windowUs: number, noticeUs: number): number {
  return Math.ceil((nowUs + noticeUs) / windowUs) * windowUs
}
