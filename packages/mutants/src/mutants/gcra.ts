import { type Mutant, mutantsOf } from '../mutant.js'

const typeScript = mutantsOf({ file: 'algo-gcra/src/gcra.ts', rules: 'gcra', on: 'memory' }, [
  {
    name: 'GCRA: the wait is rounded down',
    find: 'wait: Math.max(0, Math.ceil(lacking / parts))',
    replace: 'wait: Math.max(0, Math.floor(lacking / parts))',
    law: 2,
  },
  {
    name: 'GCRA: the part of a microsecond is not kept',
    find: 'state[1] = used % parts',
    replace: 'state[1] = 0',
    law: 1,
  },
  {
    name: 'GCRA: a refund gives back what has drained',
    find: 'const drained = Math.max(0, now - receipt) * parts',
    replace: 'const drained = 0',
    law: 1,
  },
  {
    name: 'GCRA: the TTL leaves out the last part of a microsecond',
    find: 'return { remaining, reset, ttl: reset }',
    replace: 'return { remaining, reset, ttl: Math.floor(used / parts) }',
    law: 5,
  },
  {
    name: 'GCRA: full debt reads as empty once the clock steps back',
    find: 'used <= 3 * burst * unit',
    replace: 'used <= 2 * burst * unit',
    law: 9,
  },
])

const lua = mutantsOf({ file: 'algo-gcra/src/gcra.lua', rules: 'gcra', on: 'ioredis' }, [
  {
    name: 'Lua: GCRA: the receipt of a debt not kept whole is that of a whole one',
    find: 'local receipt = max(0, now - ceil(uncounted / parts))',
    replace: 'local receipt = now',
    law: 6,
  },
  {
    name: 'Lua: GCRA: a part of an older policy is taken for one of the new',
    find: 'min(part, parts - 1)',
    replace: 'part',
    law: 6,
  },
  {
    name: 'Lua: GCRA: the part of a microsecond is read and not kept',
    find: "part == 0 and time or string.format('%016.0f:%.0f', time, part)",
    replace: 'time',
    law: 6,
  },
])

/** Faults of GCRA, and so of the token bucket that is refilled continuously. */
export const gcraMutants: readonly Mutant[] = [...typeScript, ...lua]
