import { type Mutant, mutantsOf } from '../mutant.js'

const typeScript = mutantsOf(
  { file: 'algo-sliding-counter/src/segmented-window.ts', rules: 'segmented window', on: 'memory' },
  [
    {
      name: 'segmented window: a segment leaves when its first unit may',
      find: 'return start - (start % segment) + (segments + 1) * segment',
      replace: 'return start - (start % segment) + segments * segment',
      law: 1,
    },
    {
      name: 'segmented window: the wait is for the oldest segment, however many must leave',
      find: 'const leaver = allowed ? first : leaverAt(state, first, count + cost - limit)',
      replace: 'const leaver = first',
      law: 2,
    },
    {
      name: 'segmented window: the TTL is that of the oldest segment',
      find: 'return { remaining, reset, ttl: leaveOf(newest, segment, segments) - now }',
      replace: 'return { remaining, reset, ttl: reset }',
      law: 5,
    },
    {
      name: 'segmented window: the receipt is the time and not the segment',
      find: 'return { receipt: start, ...report',
      replace: 'return { receipt: now, ...report',
      law: 7,
    },
  ],
)

const lua = mutantsOf(
  {
    file: 'algo-sliding-counter/src/segmented-window.lua',
    rules: 'segmented window',
    on: 'ioredis',
  },
  [
    {
      name: 'Lua: segmented window: segments that have left are never dropped',
      find: "if #state.gone > 0 then redis.call('HDEL', state.key, unpack(state.gone)) end",
      replace: '',
      law: 12,
    },
    {
      name: 'Lua: segmented window: segments leave in the order of the hash',
      find: 'table.sort(starts)',
      replace: '',
      law: 2,
    },
    {
      name: 'Lua: segmented window: a debt has no cap',
      find: 'math.max(0, math.min(cost, 2 * limit - state.total))',
      replace: 'cost',
      law: 6,
    },
  ],
)

/** Faults of the segmented window. */
export const segmentedWindowMutants: readonly Mutant[] = [...typeScript, ...lua]
