import { obeysAllLaws } from '@spillway/matrix'
import { slidingWindow } from '../src/index.js'

obeysAllLaws([
  slidingWindow({ limit: 8, window: '10s' }),
  slidingWindow({ limit: 1, window: 7 }),
  slidingWindow({ limit: 40, window: 1001 }),
])
