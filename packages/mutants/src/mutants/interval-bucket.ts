import { type Mutant, mutantsOf } from '../mutant.js'

const typeScript = mutantsOf(
  { file: 'algo-token-bucket/src/interval-bucket.ts', rules: 'interval bucket', on: 'memory' },
  [
    {
      name: 'interval bucket: the wait is for one refill, however many are needed',
      find: 'wait: allowed ? 0 : state[0]! - later * interval - now',
      replace: 'wait: allowed ? 0 : state[0]! - (refills - 1) * interval - now',
      law: 2,
    },
    {
      name: 'interval bucket: the last refill is a whole one',
      find: 'state[1] = needed * refill - missing',
      replace: 'state[1] = 0',
      law: 7,
    },
    {
      name: 'interval bucket: a request puts the next refill off',
      find: 'const lastRefill = refills > 0 ? state[0]! - refills * interval : now',
      replace: 'const lastRefill = now',
      law: 7,
    },
    {
      name: 'interval bucket: the TTL is one interval',
      find: 'reset, ttl: reset }',
      replace: 'reset, ttl: Math.min(reset, interval) }',
      law: 5,
    },
    {
      name: 'interval bucket: a refund puts back what has been refilled',
      find: 'Math.max(0, cost - Math.max(0, since) * refill)',
      replace: 'cost',
      law: 1,
    },
  ],
)

const lua = mutantsOf(
  { file: 'algo-token-bucket/src/interval-bucket.lua', rules: 'interval bucket', on: 'ioredis' },
  [
    {
      name: 'Lua: interval bucket: the receipt of a debt not kept whole is that of a whole one',
      find: 'local receipt = math.max(0, now - math.ceil(uncounted / refill) * interval)',
      replace: 'local receipt = now',
      law: 6,
    },
    {
      name: 'Lua: interval bucket: a refill just begun counts as one since the request',
      find: 'local since = math.ceil(((state.time or now) - receipt) / interval) - refills',
      replace: 'local since = math.floor(((state.time or now) - receipt) / interval) - refills',
      law: 6,
    },
    {
      name: 'Lua: interval bucket: the spare of a larger refill is taken for one of the new',
      find: 'math.min(state.spare, refill - 1)',
      replace: 'state.spare',
      law: 6,
    },
  ],
)

/** Faults of the token bucket that is refilled by the interval. */
export const intervalBucketMutants: readonly Mutant[] = [...typeScript, ...lua]
