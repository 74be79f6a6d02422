/** Milliseconds since 1970 by this process's clock, which the lesson's scripts trust. */
export function wallClockMs(): number {
  return Date.now()
}
