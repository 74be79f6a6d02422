import { type Mutant, mutantsOf } from '../mutant.js'

const typeScript = mutantsOf(
  { file: 'algo-sliding-counter/src/sliding-counter.ts', rules: 'sliding counter', on: 'memory' },
  [
    {
      name: 'sliding counter: the window before is rounded down',
      find: 'const gone = Math.floor((previous * elapsed) / window)',
      replace: 'const gone = Math.ceil((previous * elapsed) / window)',
      law: 2,
    },
    {
      name: 'sliding counter: the wait ends a millisecond early',
      find: 'end + Math.ceil((excess * window) / count) * 1000',
      replace: 'end + Math.floor((excess * window) / count) * 1000',
      law: 2,
    },
    {
      name: 'sliding counter: the TTL ends with the window',
      find: 'limit, window), reset, ttl: reset }',
      replace: 'limit, window), reset, ttl: counts.end - now }',
      law: 5,
    },
    {
      name: 'sliding counter: a refund goes into the current window, wherever it came from',
      find: 'count: start === receipt ? Math.max(0, count - cost) : count',
      replace: 'count: Math.max(0, count - cost)',
      law: 1,
    },
  ],
)

const lua = mutantsOf(
  {
    file: 'algo-sliding-counter/src/sliding-counter.lua',
    rules: 'sliding counter',
    on: 'node-redis',
  },
  [
    {
      name: 'Lua: sliding counter: a refund never reaches the window before',
      find: 'counts.previous = math.max(0, counts.previous - cost)',
      replace: 'counts.previous = counts.previous',
      law: 6,
    },
    {
      name: 'Lua: sliding counter: the elapsed part of the window begins with the next millisecond',
      find: 'math.floor((now - counts.start) / 1000)',
      replace: 'math.ceil((now - counts.start) / 1000)',
      law: 6,
    },
    {
      name: 'Lua: sliding counter: a window long past counts as the one before',
      find: 'newest < start and newest >= start - length and newest_count or 0',
      replace: 'newest < start and newest_count or 0',
      law: 6,
    },
  ],
)

/** Faults of the sliding counter. */
export const slidingCounterMutants: readonly Mutant[] = [...typeScript, ...lua]
