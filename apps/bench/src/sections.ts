import type { Section } from './section.js'
import { cluster } from './sections/cluster.js'
import { distance } from './sections/distance.js'
import { driverTables } from './sections/driver-table.js'
import { fastify } from './sections/fastify.js'
import { growth } from './sections/growth.js'
import { hotKey } from './sections/hot-key.js'
import { inProcess } from './sections/in-process.js'
import { logs } from './sections/logs.js'
import { size } from './sections/size.js'
import { storage } from './sections/storage.js'

/** The parts of the benchmark, in the order in which they run. */
export const sections: readonly Section[] = [
  ...driverTables,
  logs,
  storage,
  inProcess,
  size,
  distance,
  fastify,
  hotKey,
  growth,
  cluster,
]
