import { expect, test } from 'vitest'
import { boundarySettings, loadSettings } from '../src/settings.js'

test('without options it is the lesson: 8 per 10 s', () => {
  expect(boundarySettings({})).toEqual({
    store: undefined,
    driver: 'ioredis',
    redisUrl: undefined,
    limit: 8,
    windowMs: 10_000,
    requests: 8,
  })
})

test('each burst has as many requests as the limit, unless told otherwise', () => {
  expect(boundarySettings({ limit: '20' }).requests).toBe(20)
  expect(boundarySettings({ limit: '20', requests: '3' }).requests).toBe(3)
})

test('who asks for a large limit gets as many requests', () => {
  expect(boundarySettings({ limit: '100000' }).requests).toBe(100_000)
})

test('a load without options: 64 workers on 200 keys, 500 per 2 s, for 10 s', () => {
  expect(loadSettings({})).toMatchObject({
    algorithm: 'sliding',
    workers: 64,
    keys: 200,
    limit: 500,
    windowMs: 2000,
    seconds: 10,
  })
})

test.each([
  ['10s', 10_000],
  ['250ms', 250],
  ['1m', 60_000],
])('a window of %s', (window, windowMs) => {
  expect(boundarySettings({ window }).windowMs).toBe(windowMs)
})

test.each(['5', 'soon', '2y', ''])('a window of "%s" has no unit that is known', (window) => {
  const message = `--window must be a duration with its unit, such as 500ms, 10s or 1m, got "${window}"`
  expect(() => boundarySettings({ window })).toThrow(expect.objectContaining({ message }))
})

test.each([
  [{ limit: 'x' }, '--limit must be a positive integer, got "x"'],
  [{ limit: '0' }, '--limit must be a positive integer, got 0'],
  [{ limit: '-1' }, '--limit must be a positive integer, got "-1"'],
  [{ limit: '2.5' }, '--limit must be a positive integer, got "2.5"'],
  [{ limit: '100001' }, '--limit must be at most 100000, got 100001'],
  [{ requests: '' }, '--requests must be a positive integer, got ""'],
  [{ window: '99ms' }, `--window must be at least '100ms', got "99ms"`],
  [{ window: '366d' }, `--window must be at most a year, '365d', got "366d"`],
  [{ driver: 'jedis' }, '--driver must be ioredis or node-redis, got "jedis"'],
  [{ store: 'disk' }, '--store must be redis or memory, got "disk"'],
  [{ redisUrl: 'x' }, '--redis-url must be an address such as redis://127.0.0.1:6379, got "x"'],
  [
    { store: 'memory', redisUrl: 'redis://localhost' },
    '--redis-url must be left out with --store memory, got "redis://localhost"',
  ],
  [
    { store: 'memory', driver: 'ioredis' },
    '--driver must be left out with --store memory, got "ioredis"',
  ],
])('%o is refused by name and value', (options, message) => {
  expect(() => boundarySettings(options)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message }),
  )
})

test.each([
  [{ workers: '0' }, '--workers must be a positive integer, got 0'],
  [{ keys: 'many' }, '--keys must be a positive integer, got "many"'],
  [{ seconds: '301' }, '--seconds must be at most 300, got 301'],
  [{ algorithm: 'gcra' }, '--algorithm must be sliding or fixed, got "gcra"'],
])('a load refuses %o', (options, message) => {
  expect(() => loadSettings(options)).toThrow(expect.objectContaining({ message }))
})
