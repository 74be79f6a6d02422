import { packageTests } from '@spillway/tooling/vitest'

export default packageTests({
  // Real processes on a busy machine; and the first hook on a fresh one fetches Redis. What the environment
  // says and whether Docker answers is made up for some files: none of it is for the others.
  test: {
    testTimeout: 60_000,
    hookTimeout: 180_000,
    pool: 'forks',
    isolate: true,
    maxWorkers: 2, // most of it waits
  },
})
