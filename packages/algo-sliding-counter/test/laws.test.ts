import { obeysAllLaws } from '@spillway/matrix'
import { describe } from 'vitest'
import { segmentedWindow, slidingCounter } from '../src/index.js'

describe('slidingCounter', () => {
  obeysAllLaws([
    slidingCounter({ limit: 8, window: '10s' }),
    slidingCounter({ limit: 1, window: 7 }),
    slidingCounter({ limit: 40, window: 1001 }),
  ])
})

describe('segmentedWindow', () => {
  obeysAllLaws([
    segmentedWindow({ limit: 8, window: '10s', segments: 4 }),
    segmentedWindow({ limit: 1, window: 7, segments: 3 }),
    segmentedWindow({ limit: 40, window: 1001, segments: 1 }),
  ])
})
