import { type Mutant, mutantsOf } from '../mutant.js'

const ioredis = mutantsOf(
  { file: 'adapter-ioredis/src/ioredis-store.ts', rules: 'both', on: 'ioredis' },
  [
    {
      name: 'ioredis: a reset forgets the first policy only',
      find: 'client.del(...keys)',
      replace: 'client.del(keys[0]!)',
      law: 10,
    },
    {
      name: 'ioredis: keys are handed over in reverse',
      find: 'client.evalsha(sha, keys.length, ...keys, ...args)',
      replace: 'client.evalsha(sha, keys.length, ...keys.toReversed(), ...args)',
      law: 8,
    },
    {
      name: 'ioredis: a Cluster is taken for a single server',
      find: 'clustered: client.isCluster',
      replace: 'clustered: false',
      on: 'ioredis, Cluster',
      law: 8,
    },
  ],
)

const nodeRedis = mutantsOf(
  { file: 'adapter-node-redis/src/node-redis-store.ts', rules: 'both', on: 'node-redis' },
  [
    {
      name: 'node-redis: a reset forgets nothing',
      find: 'del: (keys) => client.del(keys)',
      replace: 'del: async (keys) => keys.length',
      law: 10,
    },
    {
      name: 'node-redis: a script the server has lost is sent without its arguments',
      find: 'client.eval(script, { keys, arguments: args })',
      replace: 'client.eval(script, { keys, arguments: args.slice(0, 1) })',
      law: 8,
    },
  ],
)

/** Faults of the adapters, seen with the real drivers. */
export const adapterMutants: readonly Mutant[] = [...ioredis, ...nodeRedis]
