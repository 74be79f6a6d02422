import { type Cluster as Client6, Cluster as Cluster6 } from 'ioredis'
import { type Cluster as Client5, Cluster as Cluster5 } from 'ioredis5'
import { staysExactInACluster } from '../../store-redis/test/driver-cluster.js'
import type { StartedClient } from '../../store-redis/test/driver-recovery.js'
import { ioredisClusterOptions, ioredisStore } from '../src/index.js'

staysExactInACluster([
  {
    name: 'Cluster of ioredis 5',
    start: (natMap) =>
      started(new Cluster5(Object.values(natMap), { ...ioredisClusterOptions, natMap })),
  },
  ...([2, 3] as const).map((protocol) => ({
    name: `Cluster of ioredis 6, RESP${protocol}`,
    start: (natMap: Record<string, { host: string; port: number }>) => {
      const redisOptions = { protocol }
      const options = { ...ioredisClusterOptions, natMap, redisOptions }
      return started(new Cluster6(Object.values(natMap), options))
    },
  })),
])

function started(client: Client5 | Client6): StartedClient {
  client.on('error', () => {}) // told through each decision
  return { store: ioredisStore(client), close: async () => client.disconnect() }
}
