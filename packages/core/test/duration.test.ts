import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Duration, durationMs } from '../src/index.js'

test.each<[Duration, number]>([
  [1, 1],
  ['1ms', 1],
  ['250ms', 250],
  ['10s', 10_000],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['365d', 31_536_000_000],
  [31_536_000_000, 31_536_000_000],
])('%o is %i ms', (duration, ms) => {
  expect(durationMs('window', duration)).toBe(ms)
})

const form =
  "window must be positive whole milliseconds or a string such as '250ms', '10s', '5m', '1h' or '1d', got"

test.each<[unknown, string]>([
  [0, '0'],
  [-1, '-1'],
  [0.5, '0.5'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [10n, '10n'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{}, 'an object'],
  ['', '""'],
  ['10', '"10"'],
  ['0s', '"0s"'],
  ['-5s', '"-5s"'],
  ['1.5s', '"1.5s"'],
  ['10 s', '"10 s"'],
  ['10S', '"10S"'],
  ['1w', '"1w"'],
  ['10s\n', '"10s\\n"'],
  ['0x10ms', '"0x10ms"'],
])('%o is no duration, and the message shows it', (bad, shown) => {
  expect(() => durationMs('window', bad as Duration)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: `${form} ${shown}` }),
  )
})

test.each<[Duration, string]>([
  [31_536_000_001, '31536000001'],
  ['366d', '"366d"'],
  ['8761h', '"8761h"'],
])('%o is longer than a year', (long, shown) => {
  expect(() => durationMs('pause', long)).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      message: `pause must be at most a year, '365d', got ${shown}`,
    }),
  )
})

test('a number and its string in milliseconds are the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 31_536_000_000 }), (ms) => {
      expect(durationMs('window', `${BigInt(ms)}ms`)).toBe(durationMs('window', ms))
    }),
  )
})
