import { expect, test } from 'vitest'
import { durationText } from '../src/duration-text.js'
import { timeText } from '../src/time-text.js'

test.each([
  [1, '1 ms'],
  [250, '250 ms'],
  [1500, '1.5 s'],
  [9594, '9.59 s'],
  [10_000, '10 s'],
  [60_000, '1 min'],
  [90_000, '90 s'],
  [7_200_000, '2 h'],
  [86_400_000, '1 d'],
])('%i ms reads as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('a time of day shows milliseconds only where there are some', () => {
  expect(timeText(Date.UTC(2026, 10, 30, 12, 0, 10) * 1000)).toBe('12:00:10')
  expect(timeText(Date.UTC(2026, 10, 30, 12, 0, 10, 250) * 1000)).toBe('12:00:10.250')
})
