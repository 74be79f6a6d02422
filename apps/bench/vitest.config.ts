import { packageTests } from '@spillway/tooling/vitest'

// Every subject and every Redis is started once, beside other tests.
export default packageTests({ test: { testTimeout: 180_000 } })
