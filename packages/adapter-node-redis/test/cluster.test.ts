import * as redis6 from 'redis'
import * as redis5 from 'redis5'
import { staysExactInACluster } from '../../store-redis/test/driver-cluster.js'
import type { StartedClient } from '../../store-redis/test/driver-recovery.js'
import { type NodeRedisClient, nodeRedisOptions, nodeRedisStore } from '../src/index.js'

interface Opened extends NodeRedisClient {
  on(event: string, listener: () => void): unknown
  connect(): Promise<unknown>
  destroy(): unknown
}

type Addresses = Readonly<Record<string, { readonly host: string; readonly port: number }>>

const optionsFor = (RESP: 2 | 3, nodeAddressMap: Addresses) => ({
  RESP,
  nodeAddressMap,
  rootNodes: Object.values(nodeAddressMap).map(({ host, port }) => ({ socket: { host, port } })),
  defaults: { ...nodeRedisOptions, socket: { reconnectStrategy: 20 } },
})

staysExactInACluster([
  {
    name: 'Cluster of node-redis 5, RESP3',
    start: (addresses) => started(redis5.createCluster(optionsFor(3, addresses))),
  },
  {
    name: 'Cluster of node-redis 6, RESP2',
    start: (addresses) => started(redis6.createCluster(optionsFor(2, addresses))),
  },
  {
    name: 'Cluster of node-redis 6, RESP3',
    start: (addresses) => started(redis6.createCluster(optionsFor(3, addresses))),
  },
])

function started(client: Opened): StartedClient {
  client.on('error', () => {}) // told through each decision
  client.connect().catch(() => {})
  return { store: nodeRedisStore(client), close: async () => void (await client.destroy()) }
}
