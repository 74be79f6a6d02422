import { mutants } from '../src/mutants.js'
import { openMemory } from '../src/open-stores.js'
import { catchMutants } from './catch-mutants.js'

catchMutants(
  mutants.filter(({ on }) => on === 'memory'),
  openMemory,
)
