import { createLimiter, type Duration, memoryStore } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { type TokenBucketOptions, tokenBucket } from '../src/index.js'

const good = { capacity: 8, refill: 4, interval: '10s' } as const

describe.each(['continuous', 'interval'] as const)(
  'tokenBucket refuses, naming the option and the value: %s',
  (refillBy) => {
    describe.each(['capacity', 'refill'])('%s', (option) => {
      test.each<[unknown, string]>([
        [0, 'a positive integer, got 0'],
        [-1, 'a positive integer, got -1'],
        [0.5, 'a positive integer, got 0.5'],
        [Number.NaN, 'a positive integer, got NaN'],
        ['8', 'a positive integer, got "8"'],
        [undefined, 'a positive integer, got undefined'],
        [2 ** 50 + 1, 'at most 1125899906842624, got 1125899906842625'],
      ])('%o', (value, rest) => {
        const options = { ...good, refillBy, [option]: value } as TokenBucketOptions
        expect(() => tokenBucket(options)).toThrow(
          expect.objectContaining({
            code: 'INVALID_ARGUMENT',
            message: `${option} must be ${rest}`,
          }),
        )
      })
    })

    test.each<[unknown, string]>([
      [0, 'got 0'],
      ['10', 'got "10"'],
      [undefined, 'got undefined'],
      ['366d', `at most a year, '365d', got "366d"`],
    ])('interval %o', (interval, rest) => {
      expect(() => tokenBucket({ ...good, refillBy, interval: interval as Duration })).toThrow(
        expect.objectContaining({
          code: 'INVALID_ARGUMENT',
          message: expect.stringMatching(new RegExp(`^interval must be .*${rest}$`)),
        }),
      )
    })
  },
)

test.each<[unknown, string]>([
  ['batch', '"batch"'],
  [null, 'null'],
  [true, 'true'],
])('tokenBucket refuses, naming the option and the value: refillBy %o', (refillBy, got) => {
  expect(() => tokenBucket({ ...good, refillBy } as TokenBucketOptions)).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      message: `refillBy must be 'continuous' or 'interval', got ${got}`,
    }),
  )
})

describe('tokenBucket refuses what whole numbers cannot hold:', () => {
  test('a continuous rate, in the words of its own options', () => {
    expect(() => tokenBucket({ capacity: 95, refill: 999_999_937, interval: '365d' })).not.toThrow()
    expect(() => tokenBucket({ capacity: 96, refill: 999_999_937, interval: '365d' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message:
          'capacity, refill and interval must make a rate that whole numbers can hold: take rounder ' +
          'or smaller ones, got "999999937 per 31536000000 ms, at most 96"',
      }),
    )
  })

  test('a bucket that takes longer than 70 years to fill by the interval', () => {
    const options = { refill: 1, interval: '365d', refillBy: 'interval' } as const
    expect(() => tokenBucket({ ...options, capacity: 71 })).not.toThrow()
    expect(() => tokenBucket({ ...options, capacity: 72 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: 'capacity must be refilled within 70 years, got 72',
      }),
    )
  })
})

test.each<TokenBucketOptions>([
  { capacity: 2 ** 50, refill: 2 ** 50, interval: 1, refillBy: 'interval' },
  { capacity: 2 ** 50, refill: 2 ** 50, interval: '365d', refillBy: 'interval' },
  { capacity: 1_000_000_000, refill: 1_000_000_000, interval: '365d' },
])('it takes %o, and counts to the last token', async (options) => {
  const { consume } = createLimiter({
    store: memoryStore({ clock: () => 1_800_000_000_000_000 }),
    policies: { p: tokenBucket(options) },
  })
  expect(await consume('k', options.capacity - 1)).toMatchObject({ allowed: true, remaining: 1 })
  expect(await consume('k', 2)).toMatchObject({ allowed: false, remaining: 1 })
  expect(await consume('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
})

test('its promise is a full bucket, and what comes while the interval lasts', () => {
  const second = 1_000_000
  const { most } = tokenBucket({ capacity: 10, refill: 4, interval: '1s' })
  expect([0, 1, second / 4, second / 4 + 1, second, second + 1].map(most)).toEqual([
    0, 10, 10, 11, 13, 14,
  ])
  const byInterval = tokenBucket({ capacity: 10, refill: 4, interval: '1s', refillBy: 'interval' })
  expect([0, 1, 2, second, second + 1, second + 2].map(byInterval.most)).toEqual([
    0, 10, 14, 14, 14, 18,
  ])
  expect([0.5, 1.5, Number.POSITIVE_INFINITY].map(byInterval.most)).toEqual([
    10,
    14,
    Number.POSITIVE_INFINITY,
  ])
})
