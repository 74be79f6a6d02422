import { invalid } from './invalid.js'

/** A rate in whole numbers: a microsecond has `parts` equal parts, a unit of cost takes `unit`. */
export interface ExactRate {
  readonly parts: number
  readonly unit: number
}

/**
 * The rate of `limit` units per window without rounding: what a unit takes is seldom a whole
 * number of microseconds, but always one of parts of a microsecond.
 *
 * @param options the names of the options it is made of, for the message
 * @param capacity the most units held at once: three times as many are exact, for a debt as large
 *   and a clock set back by as much again
 * @throws SpillwayError `INVALID_ARGUMENT` if that takes numbers above 2^53, which happens when
 *   large limits share no factors with the window, or if the capacity takes more than 70 years,
 *   since a time as far ahead as a debt must stay below 2^53 too
 */
export function exactRate(
  options: string,
  limit: number,
  windowMs: number,
  capacity: number,
): ExactRate {
  const window = windowMs * 1000
  const shared = greatestCommonDivisor(limit, window)
  const rate = { parts: limit / shared, unit: window / shared }
  const held = capacity * rate.unit
  if (3 * held > Number.MAX_SAFE_INTEGER || held > rate.parts * 2 ** 51) {
    throw invalid(
      options,
      'must make a rate that whole numbers can hold: take rounder or smaller ones',
      `${limit} per ${windowMs} ms, at most ${capacity}`,
    )
  }
  return rate
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
