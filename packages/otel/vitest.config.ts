import { packageTests } from '@spillway/tooling/vitest'

export default packageTests()
