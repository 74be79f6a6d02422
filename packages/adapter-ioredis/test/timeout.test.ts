import { Redis } from 'ioredis'
import { answersInTime } from '../../store-redis/test/driver-timeout.js'
import { ioredisOptions, ioredisStore } from '../src/index.js'

answersInTime([
  {
    name: 'ioredis',
    start(port) {
      const client = new Redis(port, ioredisOptions)
      client.on('error', () => {}) // told through each decision
      return { store: ioredisStore(client), close: async () => client.disconnect() }
    },
  },
])
