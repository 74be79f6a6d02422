import { invalid } from './invalid.js'

/**
 * A length of time: whole milliseconds, or a whole number with a unit, such as `'250ms'`,
 * `'10s'`, `'5m'`, `'1h'` or `'1d'`.
 */
export type Duration = number | `${bigint}${'ms' | 's' | 'm' | 'h' | 'd'}`

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const yearMs = 365 * unitMs.d

/**
 * Returns a duration in milliseconds.
 *
 * @param option its name, for the message
 * @throws SpillwayError `INVALID_ARGUMENT` unless it is longer than 0 and at most 365 days
 */
export function durationMs(option: string, duration: Duration): number {
  const ms = typeof duration === 'string' ? parse(duration) : duration
  if (!Number.isSafeInteger(ms) || ms < 1) {
    throw invalid(
      option,
      "must be positive whole milliseconds or a string such as '250ms', '10s', '5m', '1h' or '1d'",
      duration,
    )
  }
  if (ms > yearMs) throw invalid(option, "must be at most a year, '365d'", duration)
  return ms
}

function parse(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text)
  return match === null ? Number.NaN : Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]
}
