import { obeysAllLaws } from '@spillway/matrix'
import { templateRule } from '../src/index.js'

obeysAllLaws([
  templateRule({ limit: 8, window: '10s' }),
  templateRule({ limit: 1, window: 7 }),
  templateRule({ limit: 40, window: 1001 }),
])
