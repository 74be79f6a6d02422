import { packageTests } from '@spillway/tooling/vitest'

// Programs are started and boundaries awaited, in real time and beside other tests.
export default packageTests({ test: { testTimeout: 60_000, hookTimeout: 120_000 } })
