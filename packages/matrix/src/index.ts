export { type Bench, benches } from './benches.js'
export { obeysAllLaws } from './obeys-all-laws.js'
export { redisInspector } from './redis-inspector.js'
export { stopServers } from './servers.js'
