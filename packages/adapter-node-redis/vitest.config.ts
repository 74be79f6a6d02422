import { packageTests } from '@spillway/tooling/vitest'

// Servers are killed, frozen and failed over here, on machines that may be slow.
export default packageTests({ test: { testTimeout: 60_000 } })
