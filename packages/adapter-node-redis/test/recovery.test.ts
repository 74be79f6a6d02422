import * as redis6 from 'redis'
import * as redis5 from 'redis5'
import {
  type ClientUnderTest,
  recoversFromEverything,
  type StartedClient,
} from '../../store-redis/test/driver-recovery.js'
import { type NodeRedisClient, nodeRedisOptions, nodeRedisStore } from '../src/index.js'

interface Opened extends NodeRedisClient {
  on(event: string, listener: () => void): unknown
  connect(): Promise<unknown>
  destroy(): unknown
}

const optionsFor = (RESP: 2 | 3, port: number, password: string | undefined) => ({
  ...nodeRedisOptions,
  RESP,
  socket: { host: '127.0.0.1', port, reconnectStrategy: 20 },
  ...(password === undefined ? {} : { password }),
})
// As many at least as at most: else a pool of node-redis 5 trips over its own cleaning up once it is closed.
const pool = { minimum: 2, maximum: 2, acquireTimeout: 500 }

const clients: readonly ClientUnderTest[] = [
  {
    name: 'node-redis 5, RESP2',
    start: (port, password) => started(redis5.createClient(optionsFor(2, port, password))),
  },
  ...([2, 3] as const).map((RESP) => ({
    name: `node-redis 6, RESP${RESP}`,
    start: (port: number, password?: string) =>
      started(redis6.createClient(optionsFor(RESP, port, password))),
  })),
  {
    name: 'pool of node-redis 5, RESP3',
    start: (port, password) =>
      started(redis5.createClientPool(optionsFor(3, port, password), pool)),
  },
  {
    name: 'pool of node-redis 6, RESP2',
    start: (port, password) =>
      started(redis6.createClientPool(optionsFor(2, port, password), pool)),
  },
]

function started(client: Opened): StartedClient {
  client.on('error', () => {}) // told through each decision
  client.connect().catch(() => {})
  return {
    store: nodeRedisStore(client),
    close: async () => {
      if (client.isOpen) await client.destroy()
    },
  }
}

recoversFromEverything(clients)
