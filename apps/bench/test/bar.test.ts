import { expect, test } from 'vitest'
import { judged } from '../src/bar.js'

test('a bar holds when it is met exactly, and never when there is no figure', () => {
  const bars = [
    { name: 'least', bar: { atLeast: 2 }, value: (value: number | null) => value },
    { name: 'most', bar: { atMost: 2 }, value: (value: number | null) => value },
  ]
  const holds = (value: number | null) => judged(bars, value).map((one) => one.holds)
  expect(holds(2)).toEqual([true, true])
  expect(holds(1)).toEqual([false, true])
  expect(holds(3)).toEqual([true, false])
  expect(holds(null)).toEqual([false, false])
})
