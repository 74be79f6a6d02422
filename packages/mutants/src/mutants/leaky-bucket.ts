import { type Mutant, mutantsOf } from '../mutant.js'

const typeScript = mutantsOf(
  { file: 'algo-leaky-bucket/src/leaky-bucket.ts', rules: 'leaky bucket', on: 'memory' },
  [
    {
      name: 'leaky bucket: any turn is given back as if it were the last',
      find: 'const isLast = taken > 0 && receipt === state[0]',
      replace: 'const isLast = taken > 0',
      law: 1,
    },
    {
      name: 'leaky bucket: the receipt does not move on with a refund in part',
      find: 'return { receipt: isLast ? state[0]! : receipt, ...kept }',
      replace: 'return { receipt, ...kept }',
      law: 7,
    },
    {
      name: 'leaky bucket: a turn is a part of a microsecond too short',
      find: 'const wanted = taken + cost * unit',
      replace: 'const wanted = taken + cost * unit - 1',
      law: 1,
    },
    {
      name: 'leaky bucket: the TTL leaves out the last part of a microsecond',
      find: 'return { remaining, reset, ttl: reset }',
      replace: 'return { remaining, reset, ttl: Math.floor(taken / parts) }',
      law: 5,
    },
    {
      name: 'leaky bucket: full debt reads as empty once the clock steps back',
      find: 'taken <= 3 * capacity * unit',
      replace: 'taken <= 2 * capacity * unit',
      law: 9,
    },
  ],
)

const lua = mutantsOf(
  { file: 'algo-leaky-bucket/src/leaky-bucket.lua', rules: 'leaky bucket', on: 'node-redis' },
  [
    {
      name: 'Lua: leaky bucket: a debt not kept whole can be given back',
      find: 'return total == wanted and state.time or 0, remaining',
      replace: 'return state.time, remaining',
      law: 6,
    },
    {
      name: 'Lua: leaky bucket: who is allowed need not wait for the turns ahead',
      find: 'math.ceil((allowed and taken or lacking) / parts)',
      replace: 'allowed and 0 or math.ceil(lacking / parts)',
      law: 6,
    },
    {
      name: 'Lua: leaky bucket: the wait is rounded down',
      find: 'math.ceil((allowed and taken or lacking) / parts)',
      replace: 'math.floor((allowed and taken or lacking) / parts)',
      law: 2,
    },
    {
      name: 'Lua: leaky bucket: the part of a microsecond is not read',
      find: ' + math.min(part, parts - 1)',
      replace: '',
      law: 6,
    },
  ],
)

/** Faults of the leaky bucket. */
export const leakyBucketMutants: readonly Mutant[] = [...typeScript, ...lua]
