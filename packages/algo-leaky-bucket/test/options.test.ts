import { createLimiter, type Duration, memoryStore } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { leakyBucket } from '../src/index.js'

describe('leakyBucket refuses, naming the option and the value:', () => {
  test.each<[unknown, string]>([
    [0, 'got 0'],
    [-1, 'got -1'],
    [0.5, 'got 0.5'],
    [Number.NaN, 'got NaN'],
    ['8', 'got "8"'],
    [undefined, 'got undefined'],
    [2 ** 53, 'got 9007199254740992'],
  ])('limit %o', (limit, rest) => {
    expect(() => leakyBucket({ limit: limit as number, window: '10s', queue: 5 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: `limit must be a positive integer, ${rest}`,
      }),
    )
  })

  test.each<[unknown, string]>([
    [-1, 'got -1'],
    [0.5, 'got 0.5'],
    [Number.POSITIVE_INFINITY, 'got Infinity'],
    ['5', 'got "5"'],
    [undefined, 'got undefined'],
  ])('queue %o', (queue, rest) => {
    expect(() => leakyBucket({ limit: 8, window: '10s', queue: queue as number })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: `queue must be an integer of at least 0, ${rest}`,
      }),
    )
  })

  test.each<[unknown, string]>([
    [0, 'got 0'],
    ['10', 'got "10"'],
    [undefined, 'got undefined'],
    ['366d', `at most a year, '365d', got "366d"`],
  ])('window %o', (window, rest) => {
    expect(() => leakyBucket({ limit: 8, window: window as Duration, queue: 5 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`^window must be .*${rest}$`)),
      }),
    )
  })

  test('what whole numbers cannot hold', () => {
    expect(() => leakyBucket({ limit: 999_999_937, window: '365d', queue: 94 })).not.toThrow()
    expect(() => leakyBucket({ limit: 999_999_937, window: '365d', queue: 95 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message:
          'limit, window and queue must make a rate that whole numbers can hold: take rounder ' +
          'or smaller ones, got "999999937 per 31536000000 ms, at most 96"',
      }),
    )
  })
})

test('it counts to the last turn of the longest queue', async () => {
  const queue = 2_251_799_812 // 71 years
  expect(() => leakyBucket({ limit: 1, window: '1s', queue: queue + 1 })).toThrow('whole numbers')
  const { consume } = createLimiter({
    store: memoryStore({ clock: () => 1_800_000_000_000_000 }),
    policies: { p: leakyBucket({ limit: 1, window: '1s', queue }) },
  })
  expect(await consume('k', queue)).toMatchObject({ allowed: true, remaining: 1 })
  expect(await consume('k', 2)).toMatchObject({ allowed: false, remaining: 1 })
  expect(await consume('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
})

test('its promise is the queue and one at once, and one more each turn', () => {
  const { most } = leakyBucket({ limit: 10, window: '1s', queue: 3 })
  expect([0, 1, 100_000, 100_001, 200_001, 1_000_000, 1_000_001].map(most)).toEqual([
    0, 4, 4, 5, 6, 13, 14,
  ])
})
