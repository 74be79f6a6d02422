import { obeysAllLaws } from '@spillway/matrix'
import { gcra } from '../src/index.js'

obeysAllLaws([
  gcra({ limit: 10, window: '1s' }),
  gcra({ limit: 10, window: '1s', burst: 6 }),
  gcra({ limit: 7, window: 1001, burst: 3 }),
  gcra({ limit: 3, window: 10, burst: 1 }),
  gcra({ limit: 30, window: '1m', burst: 70 }),
])
