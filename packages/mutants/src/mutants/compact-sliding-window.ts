import { type Mutant, mutantsOf } from '../mutant.js'

const typeScript = mutantsOf(
  {
    file: 'algo-sliding-compact/src/compact-sliding-window.ts',
    rules: 'compact log',
    on: 'memory',
  },
  [
    {
      name: 'compact log: the leaver is the entry after the unit',
      find: 'beforeOf(state, entry + 1) >= unit',
      replace: 'beforeOf(state, entry + 1) > unit',
      law: 2,
    },
    {
      name: 'compact log: a log made weighted counts its entries from 1',
      find: 'if (time !== times[before - 1]) state.push(time, before)',
      replace: 'if (time !== times[before - 1]) state.push(time, before + 1)',
      law: 1,
    },
    {
      name: 'compact log: a refund leaves the totals behind it as they were',
      find: 'i < state.length; i += 2) state[i]! -= taken',
      replace: 'i < 0; i += 2) state[i]! -= taken',
      law: 7,
    },
    {
      name: 'compact log: after a refund the TTL is that of the oldest entry',
      find: 'timeOf(state, size - 1) + window - now : 0',
      replace: 'timeOf(state, 0) + window - now : 0',
      law: 5,
    },
  ],
)

const lua = mutantsOf(
  {
    file: 'algo-sliding-compact/src/compact-sliding-window.lua',
    rules: 'compact log',
    on: 'node-redis',
  },
  [
    {
      name: 'Lua: compact log: a large total is packed into too few bytes',
      find: "struct.pack('>I7', total)",
      replace: "struct.pack('>I7', total % 2 ^ 48)",
      law: 6,
    },
    {
      name: 'Lua: compact log: units of one time are counted over those there',
      find: "redis.call('LSET', state.key, -1, -state.total - units)",
      replace: "redis.call('LSET', state.key, -1, -state.total)",
      law: 1,
    },
    {
      name: 'Lua: compact log: a debt not kept whole can be given back',
      find: 'return added == cost and time or 0, remaining',
      replace: 'return time, remaining',
      law: 6,
    },
    {
      name: 'Lua: compact log: entries that have left the window are never dropped',
      find: "redis.call('LTRIM', state.key, state.weighted and 2 * state.first or state.first, -1)",
      replace: '',
      law: 6,
    },
  ],
)

/** Faults of the compact sliding window. */
export const compactSlidingWindowMutants: readonly Mutant[] = [...typeScript, ...lua]
