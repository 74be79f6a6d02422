import type { Duration } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { compactSlidingWindow } from '../src/index.js'

describe('compactSlidingWindow refuses, naming the option and the value:', () => {
  test.each<[unknown, string]>([
    [0, 'a positive integer, got 0'],
    [-1, 'a positive integer, got -1'],
    [0.5, 'a positive integer, got 0.5'],
    [Number.NaN, 'a positive integer, got NaN'],
    ['8', 'a positive integer, got "8"'],
    [undefined, 'a positive integer, got undefined'],
    [2 ** 50 + 1, 'at most 1125899906842624, got 1125899906842625'],
  ])('limit %o', (limit, rest) => {
    expect(() => compactSlidingWindow({ limit: limit as number, window: '10s' })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: `limit must be ${rest}` }),
    )
  })

  test.each<[unknown, string]>([
    [0, 'got 0'],
    ['10', 'got "10"'],
    [undefined, 'got undefined'],
    ['366d', `at most a year, '365d', got "366d"`],
  ])('window %o', (window, rest) => {
    expect(() => compactSlidingWindow({ limit: 8, window: window as Duration })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`^window must be .*${rest}$`)),
      }),
    )
  })
})

test('its promise is the limit in each window that begins within the interval', () => {
  const { most } = compactSlidingWindow({ limit: 8, window: '10s' })
  expect([0, 1, 10_000_000, 10_000_001, 20_000_001].map(most)).toEqual([0, 8, 8, 16, 24])
})
