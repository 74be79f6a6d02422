import { obeysAllLaws } from '@spillway/matrix'
import { compactSlidingWindow } from '../src/index.js'

obeysAllLaws([
  compactSlidingWindow({ limit: 8, window: '10s' }),
  compactSlidingWindow({ limit: 1, window: 7 }),
  compactSlidingWindow({ limit: 400, window: 1001 }),
  compactSlidingWindow({ limit: 2 ** 50, window: 1001 }),
])
