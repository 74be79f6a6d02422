import { expect, test } from 'vitest'
import { mostAtRate } from '../src/index.js'

test('an interval admits the capacity at its start, and a unit more for each share of the window it reaches', () => {
  const most = (interval: number) => mostAtRate(interval, 10, 1000, 4)
  expect([0, 1, 100_000, 100_001, 1_000_001].map(most)).toEqual([0, 4, 4, 5, 14])
})

test('between two microseconds it promises as much as for the next, and for ever without end', () => {
  const most = (interval: number) => mostAtRate(interval, 1000, 1, 4)
  expect([0.1, 1, 1.5, 2, 2.0001].map(most)).toEqual([4, 4, 5, 5, 6])
  expect(most(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
})
