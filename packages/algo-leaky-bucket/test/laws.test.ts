import { obeysAllLaws } from '@spillway/matrix'
import { leakyBucket } from '../src/index.js'

obeysAllLaws([
  leakyBucket({ limit: 10, window: '1s', queue: 5 }),
  leakyBucket({ limit: 10, window: '1s', queue: 2 }),
  leakyBucket({ limit: 7, window: '1s', queue: 0 }),
  leakyBucket({ limit: 30, window: '1m', queue: 70 }),
])
