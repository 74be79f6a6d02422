import { packageTests } from '@spillway/tooling/vitest'

export default packageTests({
  // Real processes on a busy machine; and the first hook on a fresh one fetches Redis.
  test: { testTimeout: 60_000, hookTimeout: 180_000 },
})
