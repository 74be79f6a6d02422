import { invalid } from './invalid.js'

/**
 * Returns `value` if it is an integer from 1 to `most`.
 *
 * @param option its name, for the message
 * @param most the highest value allowed; default 2^53 − 1
 * @throws SpillwayError `INVALID_ARGUMENT` naming the option and the value
 */
export function positiveInteger(option: string, value: unknown, most?: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw invalid(option, 'must be a positive integer', value)
  }
  if (most !== undefined && (value as number) > most) {
    throw invalid(option, `must be at most ${most}`, value)
  }
  return value as number
}
