import { fileURLToPath } from 'node:url'
import { packageTests } from '@spillway/tooling/vitest'

// As Node resolves it: what the API offers to bundlers cannot be run by Node.
const api = fileURLToPath(import.meta.resolve('@opentelemetry/api'))

export default packageTests({ resolve: { alias: { '@opentelemetry/api': api } } })
