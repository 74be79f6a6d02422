import { SpillwayError } from './spillway-error.js'

/**
 * The error for misuse, in its one form: `limit must be a positive integer, got 0.5`.
 *
 * @param option what the caller passed, by its name
 * @param must the rule it breaks, starting with "must"
 * @param value what was received
 */
export function invalid(option: string, must: string, value: unknown): SpillwayError {
  return new SpillwayError('INVALID_ARGUMENT', `${option} ${must}, got ${shown(value)}`)
}

function shown(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  }
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'bigint' ? `${value}n` : String(value)
}
