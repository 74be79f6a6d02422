import { createLimiter, type Duration, memoryStore } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { slidingWindow } from '../src/index.js'

describe('slidingWindow refuses, naming the option and the value:', () => {
  test.each<[unknown, string]>([
    [0, 'a positive integer, got 0'],
    [-1, 'a positive integer, got -1'],
    [0.5, 'a positive integer, got 0.5'],
    [Number.NaN, 'a positive integer, got NaN'],
    ['8', 'a positive integer, got "8"'],
    [undefined, 'a positive integer, got undefined'],
    [1_000_001, 'at most 1000000, got 1000001'],
  ])('limit %o', (limit, rest) => {
    expect(() => slidingWindow({ limit: limit as number, window: '10s' })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: `limit must be ${rest}` }),
    )
  })

  test('a limit of more than a unit a microsecond', () => {
    expect(() => slidingWindow({ limit: 1001, window: 1 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: 'limit must be at most 1000, got 1001',
      }),
    )
    expect(() => slidingWindow({ limit: 1000, window: 1 })).not.toThrow()
    expect(() => slidingWindow({ limit: 1_000_000, window: '1s' })).not.toThrow()
  })

  test.each<[unknown, string]>([
    [0, 'got 0'],
    ['10', 'got "10"'],
    [undefined, 'got undefined'],
    ['366d', `at most a year, '365d', got "366d"`],
  ])('window %o', (window, rest) => {
    expect(() => slidingWindow({ limit: 8, window: window as Duration })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`^window must be .*${rest}$`)),
      }),
    )
  })
})

test('a cost above 1,000 is refused with a pointer to the variant that takes it', async () => {
  const limiter = createLimiter({
    store: memoryStore(),
    policies: { p: slidingWindow({ limit: 5000, window: '10s' }) },
  })
  await expect(limiter.consume('k', 1001)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message:
      'cost must be at most 1000 (each unit is an entry of its own; ' +
      '@spillway/algo-sliding-compact takes any cost), got 1001',
  })
  expect(await limiter.consume('k', 1000)).toMatchObject({ allowed: true, remaining: 4000 })
})

test('its promise is the limit in any window, and one more limit for each one begun', () => {
  const { most } = slidingWindow({ limit: 8, window: '10s' })
  const window = 10_000_000
  expect([0, 1, window, window + 1, 2 * window, 2 * window + 1].map(most)).toEqual([
    0, 8, 8, 16, 16, 24,
  ])
})
