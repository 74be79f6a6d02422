import { createLimiter, type Duration, memoryStore } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { fixedWindow } from '../src/index.js'

describe('fixedWindow refuses, naming the option and the value:', () => {
  test.each<[unknown, string]>([
    [0, 'a positive integer, got 0'],
    [-1, 'a positive integer, got -1'],
    [0.5, 'a positive integer, got 0.5'],
    [Number.NaN, 'a positive integer, got NaN'],
    [Number.POSITIVE_INFINITY, 'a positive integer, got Infinity'],
    ['8', 'a positive integer, got "8"'],
    [8n, 'a positive integer, got 8n'],
    [undefined, 'a positive integer, got undefined'],
    [2 ** 50 + 1, 'at most 1125899906842624, got 1125899906842625'],
  ])('limit %o', (limit, rest) => {
    expect(() => fixedWindow({ limit: limit as number, window: '10s' })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: `limit must be ${rest}` }),
    )
  })

  test.each<[unknown, string]>([
    [0, 'got 0'],
    ['10', 'got "10"'],
    [undefined, 'got undefined'],
    ['366d', `at most a year, '365d', got "366d"`],
  ])('window %o', (window, rest) => {
    expect(() => fixedWindow({ limit: 8, window: window as Duration })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`^window must be .*${rest}$`)),
      }),
    )
  })
})

test('it takes the highest limit with the shortest and the longest window, and counts to the last unit', async () => {
  for (const window of [1, '365d'] as const) {
    const limit = 2 ** 50
    const clock = () => 1_800_000_000_000_000
    const limiter = createLimiter({
      store: memoryStore({ clock }),
      policies: { p: fixedWindow({ limit, window }) },
    })
    expect(await limiter.consume('k', limit - 1)).toMatchObject({ allowed: true, remaining: 1 })
    expect(await limiter.consume('k', 2)).toMatchObject({ allowed: false, remaining: 1 })
    expect(await limiter.consume('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
  }
})

test('its promise is one budget an instant and two across a boundary, wherever it lies', () => {
  const { most } = fixedWindow({ limit: 8, window: '10s' })
  const window = 10_000_000
  expect([0, 1, 2, window, window + 1, window + 2, 2 * window + 2].map(most)).toEqual([
    0, 8, 16, 16, 16, 24, 32,
  ])
})
