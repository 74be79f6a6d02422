import { slidingWindow } from '@spillway/algo-sliding'
import { sameDecisionsAs } from '@spillway/conformance'
import { benches, stopServers } from '@spillway/matrix'
import { afterAll, test } from 'vitest'
import { compactSlidingWindow } from '../src/index.js'

const options = [
  { limit: 8, window: '10s' },
  { limit: 1, window: 7 },
  { limit: 400, window: 1001 },
] as const

afterAll(stopServers)

test.each(benches)(
  'decides as slidingWindow does: $name',
  { timeout: 60_000 },
  async ({ open }) => {
    const { store, close } = await open()
    const policies = options.map(compactSlidingWindow)
    try {
      await sameDecisionsAs(options.map(slidingWindow)).check({ store, policies })
    } finally {
      await close()
    }
  },
)
