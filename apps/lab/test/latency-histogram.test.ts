import { expect, test } from 'vitest'
import { latencyHistogram } from '../src/latency-histogram.js'

test('a quantile is the least duration that its share of all does not exceed', () => {
  const latencies = latencyHistogram()
  for (let us = 100; us >= 1; us--) latencies.add(us)
  expect(latencies.quantile(0.5)).toBe(50)
  expect(latencies.quantile(0.99)).toBe(99)
  expect(latencies.quantile(1)).toBe(100)
})

test('without any, it is 0', () => {
  expect(latencyHistogram().quantile(0.99)).toBe(0)
})

test('what takes longer than a second counts as one', () => {
  const latencies = latencyHistogram()
  latencies.add(7_000_000)
  expect(latencies.quantile(0.5)).toBe(1_000_000)
})
