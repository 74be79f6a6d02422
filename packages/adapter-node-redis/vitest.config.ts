import { packageTests } from '@spillway/tooling/vitest'

// Half of it waits: for connections to be lost and made again.
export default packageTests({ test: { maxWorkers: 2 } })
