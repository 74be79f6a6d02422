import { durationMs, invalid, positiveInteger } from '@spillway/core'

/** Options as they were typed. */
export interface Options {
  readonly driver?: string
  readonly store?: string
  readonly redisUrl?: string
  readonly limit?: string
  readonly window?: string
  readonly requests?: string
  readonly workers?: string
  readonly keys?: string
  readonly seconds?: string
  readonly algorithm?: string
  readonly json?: boolean
  readonly markdown?: boolean
  readonly svg?: string
}

export type DriverName = 'ioredis' | 'node-redis'
export type AlgorithmName = 'fixed' | 'sliding'

/** Where counts are to live. */
export interface StoreSettings {
  /** `undefined`: Redis if there is one at hand, else memory. */
  readonly store: 'redis' | 'memory' | undefined
  readonly driver: DriverName
  readonly redisUrl: string | undefined
}

export interface BoundarySettings extends StoreSettings {
  readonly limit: number
  readonly windowMs: number
  /** How many requests are sent on each side of the boundary. */
  readonly requests: number
}

export interface LoadSettings extends StoreSettings {
  readonly algorithm: AlgorithmName
  readonly limit: number
  readonly windowMs: number
  readonly workers: number
  readonly keys: number
  readonly seconds: number
  /** Stop after this many requests, even before the time is up. */
  readonly requests: number | undefined
}

export interface CompareSettings extends StoreSettings {
  readonly limit: number
  readonly windowMs: number
  /** The file that gets the picture. */
  readonly svg: string | undefined
  readonly output: 'text' | 'json' | 'markdown'
}

/** What `break` and `test` run with. @throws SpillwayError `INVALID_ARGUMENT` naming the option */
export function boundarySettings(options: Options): BoundarySettings {
  // A burst of more would last longer than a quarter of the usual window, and miss its boundary.
  const limit = count('--limit', options.limit ?? '8', 100_000)
  const windowMs = duration('--window', options.window ?? '10s')
  // The two bursts are half a window apart at most, and timers are a millisecond or more late.
  if (windowMs < 100) throw invalid('--window', "must be at least '100ms'", options.window)
  return {
    ...storeSettings(options),
    limit,
    windowMs,
    requests: count('--requests', options.requests ?? String(limit), 100_000),
  }
}

/** What `load` runs with. @throws SpillwayError `INVALID_ARGUMENT` naming the option */
export function loadSettings(options: Options): LoadSettings {
  const { requests } = options
  return {
    ...storeSettings(options),
    algorithm: oneOf('--algorithm', options.algorithm ?? 'sliding', ['sliding', 'fixed']),
    limit: count('--limit', options.limit ?? '500', 1_000_000),
    windowMs: duration('--window', options.window ?? '2s'),
    workers: count('--workers', options.workers ?? '64', 10_000),
    keys: count('--keys', options.keys ?? '200', 100_000),
    seconds: count('--seconds', options.seconds ?? '10', 300),
    requests: requests === undefined ? undefined : count('--requests', requests),
  }
}

/** What `compare` runs with. @throws SpillwayError `INVALID_ARGUMENT` naming the option */
export function compareSettings(options: Options): CompareSettings {
  const { svg, json = false, markdown = false } = options
  if (json && markdown) throw invalid('--markdown', 'must be left out with --json', markdown)
  if (svg === '') throw invalid('--svg', 'must be the name of a file', svg)
  return {
    ...storeSettings(options),
    limit: count('--limit', options.limit ?? '10', 10_000),
    windowMs: duration('--window', options.window ?? '10s'),
    svg,
    output: json ? 'json' : markdown ? 'markdown' : 'text',
  }
}

function storeSettings({ store, driver, redisUrl }: Options): StoreSettings {
  if (store === 'memory') {
    const leftOut = 'must be left out with --store memory'
    if (redisUrl !== undefined) throw invalid('--redis-url', leftOut, redisUrl)
    if (driver !== undefined) throw invalid('--driver', leftOut, driver)
  }
  return {
    store: store === undefined ? undefined : oneOf('--store', store, ['redis', 'memory']),
    driver: oneOf('--driver', driver ?? 'ioredis', ['ioredis', 'node-redis']),
    redisUrl: redisUrl === undefined ? undefined : redisAddress('--redis-url', redisUrl),
  }
}

/** Returns the address of a Redis if it is one. @throws SpillwayError `INVALID_ARGUMENT` */
export function redisAddress(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== '') return text
  throw invalid(option, 'must be an address such as redis://127.0.0.1:6379', text)
}

function count(option: string, text: string, most?: number): number {
  return positiveInteger(option, /^\d+$/.test(text) ? Number(text) : text, most)
}

function duration(option: string, text: string): number {
  // In code a number is milliseconds; on a command line `5` looks like seconds.
  if (!/^\d+(ms|s|m|h|d)$/.test(text)) {
    throw invalid(option, 'must be a duration with its unit, such as 500ms, 10s or 1m', text)
  }
  return durationMs(option, text as `${bigint}s`)
}

function oneOf<const T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw invalid(option, `must be ${choices.join(' or ')}`, text)
}
