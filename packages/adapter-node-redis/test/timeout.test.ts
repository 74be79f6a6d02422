import { createClient } from 'redis'
import { answersInTime } from '../../store-redis/test/driver-timeout.js'
import { nodeRedisOptions, nodeRedisStore } from '../src/index.js'

answersInTime([
  {
    name: 'node-redis',
    start(port) {
      const socket = { host: '127.0.0.1', port, reconnectStrategy: 20 }
      const client = createClient({ ...nodeRedisOptions, socket })
      client.on('error', () => {}) // told through each decision
      client.connect().catch(() => {})
      return {
        store: nodeRedisStore(client),
        close: async () => {
          if (client.isOpen) client.destroy()
        },
      }
    },
  },
])
