import { type Redis as Client6, Redis as Redis6 } from 'ioredis'
import { type Redis as Client5, Redis as Redis5 } from 'ioredis5'
import {
  type ClientUnderTest,
  recoversFromEverything,
  type StartedClient,
} from '../../store-redis/test/driver-recovery.js'
import { ioredisOptions, ioredisStore } from '../src/index.js'

const optionsFor = (password: string | undefined) => ({
  ...ioredisOptions,
  ...(password === undefined ? {} : { password }),
})

const clients: readonly ClientUnderTest[] = [
  {
    name: 'ioredis 5',
    start: (port, password) => started(new Redis5(port, optionsFor(password))),
  },
  ...([2, 3] as const).map(
    (protocol): ClientUnderTest => ({
      name: `ioredis 6, RESP${protocol}`,
      start: (port, password) => started(new Redis6(port, { ...optionsFor(password), protocol })),
    }),
  ),
]

function started(client: Client5 | Client6): StartedClient {
  client.on('error', () => {}) // told through each decision
  return { store: ioredisStore(client), close: async () => client.disconnect() }
}

recoversFromEverything(clients)
