import { createLimiter, type Duration, memoryStore, type Policy } from '@spillway/core'
import { describe, expect, test } from 'vitest'
import { segmentedWindow, slidingCounter } from '../src/index.js'

interface Options {
  readonly limit: number
  readonly window: Duration
}
const makers: readonly (readonly [string, (options: Options) => Policy])[] = [
  ['slidingCounter', slidingCounter],
  ['segmentedWindow', (options) => segmentedWindow({ ...options, segments: 10 })],
]

describe.each(makers)('%s refuses, naming the option and the value:', (_, make) => {
  test.each<[unknown, string]>([
    [0, 'a positive integer, got 0'],
    [-1, 'a positive integer, got -1'],
    [0.5, 'a positive integer, got 0.5'],
    [Number.NaN, 'a positive integer, got NaN'],
    ['8', 'a positive integer, got "8"'],
    [undefined, 'a positive integer, got undefined'],
  ])('limit %o', (limit, rest) => {
    expect(() => make({ limit: limit as number, window: '10s' })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: `limit must be ${rest}` }),
    )
  })

  test.each<[unknown, string]>([
    [0, 'got 0'],
    ['10', 'got "10"'],
    [undefined, 'got undefined'],
    ['366d', `at most a year, '365d', got "366d"`],
  ])('window %o', (window, rest) => {
    expect(() => make({ limit: 8, window: window as Duration })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`^window must be .*${rest}$`)),
      }),
    )
  })
})

test.each<[unknown, string]>([
  [0, 'a positive integer, got 0'],
  [1.5, 'a positive integer, got 1.5'],
  ['10', 'a positive integer, got "10"'],
  [undefined, 'a positive integer, got undefined'],
  [101, 'at most 100, got 101'],
])('segmentedWindow refuses, naming the option and the value: segments %o', (segments, rest) => {
  expect(() => segmentedWindow({ limit: 8, window: '10s', segments: segments as number })).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: `segments must be ${rest}` }),
  )
})

test('segmentedWindow refuses a limit above 2^50', () => {
  expect(() => segmentedWindow({ limit: 2 ** 50 + 1, window: 1, segments: 1 })).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      message: 'limit must be at most 1125899906842624, got 1125899906842625',
    }),
  )
})

test('slidingCounter refuses a product of limit and window that whole numbers cannot hold', () => {
  expect(() => slidingCounter({ limit: 142_808, window: '365d' })).not.toThrow()
  expect(() => slidingCounter({ limit: 142_809, window: '365d' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      message: 'limit times the window of 31536000000 ms must be at most 2^52, got 142809',
    }),
  )
})

test.each<[string, Policy]>([
  ['the highest limit of the longest window', slidingCounter({ limit: 142_808, window: '365d' })],
  ['the highest limit of the shortest window', slidingCounter({ limit: 2 ** 52, window: 1 })],
  [
    'the highest limit of all segments',
    segmentedWindow({ limit: 2 ** 50, window: '365d', segments: 100 }),
  ],
  [
    'more segments than microseconds',
    segmentedWindow({ limit: 2 ** 50, window: 1, segments: 100 }),
  ],
])('they take %s, and count to the last unit', async (_, policy) => {
  const { consume } = createLimiter({
    store: memoryStore({ clock: () => 1_800_000_000_000_000 }),
    policies: { p: policy },
  })
  expect(await consume('k', policy.limit - 1)).toMatchObject({ allowed: true, remaining: 1 })
  expect(await consume('k', 2)).toMatchObject({ allowed: false, remaining: 1 })
  expect(await consume('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
})
