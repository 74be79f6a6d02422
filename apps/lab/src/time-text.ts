/** The time of day in UTC of a moment in microseconds since 1970: `12:00:10`, with milliseconds unless they are 0. */
export function timeText(timeUs: number): string {
  const text = new Date(timeUs / 1000).toISOString().slice(11, 23)
  return text.endsWith('.000') ? text.slice(0, 8) : text
}
