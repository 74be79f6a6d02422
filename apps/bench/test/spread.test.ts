import { expect, test } from 'vitest'
import { spreadOf } from '../src/spread.js'

test('the median of few rounds is the middle one, or between the middle two', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 })
  expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, least: 1, most: 4 })
})
