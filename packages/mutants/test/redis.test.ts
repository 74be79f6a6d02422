import { mutants } from '../src/mutants.js'
import { openRedis } from '../src/open-stores.js'
import { catchMutants } from './catch-mutants.js'

catchMutants(
  mutants.filter(({ on }) => on !== 'memory'),
  openRedis,
)
