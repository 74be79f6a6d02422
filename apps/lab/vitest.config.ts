import { packageTests } from '@spillway/tooling/vitest'

// Programs are started and boundaries awaited, in real time and beside other tests.
// Most of that is waiting, which many can do at the same time.
export default packageTests({
  test: { testTimeout: 60_000, hookTimeout: 120_000, maxConcurrency: 10 },
})
