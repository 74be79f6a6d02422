import { obeysAllLaws } from '@spillway/matrix'
import { fixedWindow } from '../src/index.js'

obeysAllLaws([
  fixedWindow({ limit: 8, window: '10s' }),
  fixedWindow({ limit: 1, window: 7 }),
  fixedWindow({ limit: 1500, window: 1001 }),
])
