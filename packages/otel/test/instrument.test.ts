import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { slidingWindow } from '@spillway/algo-sliding'
import {
  createLimiter,
  denyCache,
  denyOnFailure,
  memoryStore,
  SpillwayError,
  type Store,
  shadow,
} from '@spillway/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { instrument } from '../src/index.js'

let exporter: InMemoryMetricExporter
let meterProvider: MeterProvider

beforeEach(() => {
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  meterProvider = new MeterProvider({ readers: [reader] })
})
afterEach(() => meterProvider.shutdown())

/** What was exported, by instrument: how it is described, and its points. */
async function exported() {
  exporter.reset()
  await meterProvider.forceFlush()
  const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
  expect(new Set(all.map(({ scope }) => scope.name))).toEqual(new Set(['@spillway/otel']))
  return new Map(
    all.flatMap(({ metrics }) => metrics).map((metric) => [metric.descriptor.name, metric]),
  )
}

type Exported = Awaited<ReturnType<typeof exported>>

function points(of: Exported, name: string) {
  const { dataPoints = [] } = of.get(name) ?? {}
  return dataPoints.map(({ attributes, value }) => {
    return [attributes, typeof value === 'number' ? value : value.count] as const
  })
}

const tight = slidingWindow({ limit: 2, window: '1h' })
const roomy = slidingWindow({ limit: 1000, window: '1h' })

function failing(error: unknown): Store {
  return { decide: () => Promise.reject(error), forget: async () => {} }
}

describe('spillway.decisions', () => {
  test('counts by policy, outcome and source', async () => {
    const limiter = createLimiter({
      store: denyCache(memoryStore()),
      policies: { burst: roomy, daily: tight },
      ...instrument({ meterProvider }),
    })
    for (let i = 0; i < 5; i++) await limiter.consume('user:42')
    await limiter.consume('user:42', 3)
    const all = await exported()
    expect(all.get('spillway.decisions')?.descriptor).toMatchObject({ unit: '{decision}' })
    const daily = { 'spillway.policy': 'daily' }
    expect(points(all, 'spillway.decisions')).toEqual([
      [{ ...daily, 'spillway.outcome': 'allowed', 'spillway.source': 'store' }, 2],
      [{ ...daily, 'spillway.outcome': 'denied', 'spillway.source': 'store' }, 1],
      [{ ...daily, 'spillway.outcome': 'denied', 'spillway.source': 'cache' }, 2],
      [{ ...daily, 'spillway.outcome': 'denied', 'spillway.source': 'assumed' }, 1],
    ])
  })

  test.each([
    [new SpillwayError('STORE_UNAVAILABLE', 'secret', { cause: 1 }), 'STORE_UNAVAILABLE'],
    [new TypeError('secret'), 'TypeError'],
    ['secret', '_OTHER'],
  ])('counts failures by their type: %o', async (error, type) => {
    const policies = { p: tight }
    const limiter = createLimiter({
      store: failing(error),
      policies,
      ...instrument({ meterProvider }),
    })
    await limiter.consume('user:42').catch(() => {})
    const all = await exported()
    expect(points(all, 'spillway.decisions')).toEqual([
      [{ 'error.type': type, 'spillway.outcome': 'failed' }, 1],
    ])
    expect(points(all, 'spillway.store.duration')).toEqual([[{ 'error.type': type }, 1]])
  })
})

test('spillway.shadow.denials counts what a shadow would have denied', async () => {
  const limiter = createLimiter({
    store: memoryStore(),
    policies: { real: roomy, tried: shadow(tight) },
    ...instrument({ meterProvider }),
  })
  for (let i = 0; i < 5; i++) await limiter.consume('user:42')
  const down = createLimiter({
    store: denyOnFailure(failing(new SpillwayError('STORE_UNAVAILABLE', 'down', { cause: null }))),
    policies: { tried: shadow(tight) },
    ...instrument({ meterProvider }),
  })
  expect(await down.consume('user:42')).toMatchObject({ allowed: true, source: 'assumed' })
  const all = await exported()
  expect(points(all, 'spillway.shadow.denials')).toEqual([[{ 'spillway.policy': 'tried' }, 3]])
})

test('spillway.store.duration is a histogram in seconds, without what the cache answered', async () => {
  const { onDecision } = instrument({ meterProvider })
  const limiter = createLimiter({ store: memoryStore(), policies: { p: tight } })
  const decision = await limiter.consume('user:42')
  const event = { outcome: 'allowed', policy: 'p', decision } as const
  onDecision({ ...event, source: 'store', durationMs: 3 })
  onDecision({ ...event, source: 'fallback', durationMs: 700 })
  onDecision({ ...event, source: 'cache', durationMs: 0.001 })
  const never = await limiter.consume('user:42', 3)
  onDecision({ outcome: 'denied', policy: 'p', decision: never, source: 'assumed', durationMs: 1 })
  const all = await exported()
  const metric = all.get('spillway.store.duration')
  expect(metric?.descriptor.unit).toBe('s')
  if (metric?.dataPointType !== DataPointType.HISTOGRAM) throw new Error('it is no histogram')
  const sums = metric.dataPoints.map(({ attributes, value }) => [
    attributes['spillway.source'],
    value.sum,
    value.buckets.boundaries[value.buckets.counts.indexOf(1)],
  ])
  expect(sums).toEqual([
    ['store', 0.003, 0.005],
    ['fallback', 0.7, 1],
  ])
})

test('spillway.waiting is the number of callers that wait', async () => {
  const limiter = createLimiter({
    store: memoryStore(),
    policies: { p: tight },
    ...instrument({ meterProvider }),
  })
  const stop = new AbortController()
  const waiting = Array.from({ length: 5 }, () =>
    limiter.acquire('user:42', { signal: stop.signal }).catch(() => {}),
  )
  await Promise.all(waiting.slice(0, 2))
  expect(points(await exported(), 'spillway.waiting')).toEqual([[{}, 3]])
  stop.abort()
  await Promise.all(waiting)
  expect(points(await exported(), 'spillway.waiting')).toEqual([[{}, 0]])
})

test('no key becomes an attribute, and neither does anything else that callers choose', async () => {
  const secret = 'user:jane.doe@example.org'
  for (const store of [memoryStore(), failing(new Error(secret))]) {
    const limiter = createLimiter({
      store,
      policies: { p: tight, q: shadow(tight) },
      ...instrument({ meterProvider, limiter: 'api' }),
    })
    for (let i = 0; i < 4; i++) {
      await limiter.consume({ p: secret, q: secret }).catch(() => {})
      await limiter.acquire(secret, { timeoutMs: 1 }).catch(() => {})
    }
  }
  const attributes = [...(await exported()).values()].flatMap(({ dataPoints }) =>
    dataPoints.map((point) => point.attributes),
  )
  expect(attributes.length).toBeGreaterThan(5)
  expect(JSON.stringify(attributes)).not.toContain('jane')
  const names = new Set(attributes.flatMap((one) => Object.keys(one)))
  expect([...names].sort()).toEqual([
    'error.type',
    'spillway.limiter',
    'spillway.outcome',
    'spillway.policy',
    'spillway.source',
  ])
  for (const one of attributes) expect(one['spillway.limiter']).toBe('api')
})

test('without a provider it measures through the global one', async () => {
  metrics.setGlobalMeterProvider(meterProvider)
  try {
    const policies = { p: tight }
    await createLimiter({ store: memoryStore(), policies, ...instrument() }).consume('user:42')
    expect(points(await exported(), 'spillway.decisions')).toHaveLength(1)
  } finally {
    metrics.disable()
  }
})

test('without any SDK it costs nothing and harms nothing', async () => {
  const limiter = createLimiter({ store: memoryStore(), policies: { p: tight }, ...instrument() })
  expect(await limiter.consume('user:42')).toMatchObject({ allowed: true })
})
