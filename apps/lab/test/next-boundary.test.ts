import { expect, test } from 'vitest'
import { nextBoundary } from '../src/next-boundary.js'

test('boundaries are multiples of the window since 1970', () => {
  const now = Date.UTC(2026, 10, 30, 12, 0, 3) * 1000
  expect(nextBoundary(now, 10_000_000, 0)).toBe(Date.UTC(2026, 10, 30, 12, 0, 10) * 1000)
  expect(nextBoundary(now, 86_400_000_000, 0)).toBe(Date.UTC(2026, 11, 1) * 1000)
})

test('one too near is left out', () => {
  expect(nextBoundary(9_500, 10_000, 500)).toBe(10_000)
  expect(nextBoundary(9_501, 10_000, 500)).toBe(20_000)
})

test('notice may be longer than a window', () => {
  expect(nextBoundary(3, 10, 25)).toBe(30)
})
