import { type Mutant, mutantsOf } from '../mutant.js'

/** Faults of the sliding window in TypeScript, seen in memory. */
export const slidingWindowMutants: readonly Mutant[] = mutantsOf(
  { file: 'algo-sliding/src/sliding-window.ts', rules: 'sliding', on: 'memory' },
  [
    {
      name: 'a unit leaves the window a microsecond early',
      find: 'Math.max(now, newest) - window)',
      replace: 'Math.max(now, newest) - window + 1)',
      law: 1,
    },
    {
      name: 'a unit stays in the window a microsecond longer',
      find: 'Math.max(now, newest) - window)',
      replace: 'Math.max(now, newest) - window - 1)',
      law: 2,
    },
    {
      name: 'the wait is for the oldest unit, however many must leave',
      find: 'const leaver = first + 2 * (count - limit + cost - 1)',
      replace: 'const leaver = first',
      law: 2,
    },
    {
      name: 'the reset is a microsecond late',
      find: 'reset: (state[first] ?? now) + window - now }',
      replace: 'reset: (state[first] ?? now) + window - now + 1 }',
      law: 4,
    },
    {
      name: 'judging drops what has left the window',
      find: '    const first = firstLive(state, now, window)\n    const count',
      replace:
        '    state.splice(0, firstLive(state, now, window))\n    const first = 0\n    const count',
      law: 3,
    },
    {
      name: 'units that have left the window are never dropped',
      find: '    state.splice(0, firstLive(state, now, window))\n    const count',
      replace: '    const count',
      law: 1,
    },
    {
      name: 'debt has no cap',
      find: 'const added = Math.max(0, Math.min(cost, 2 * limit - count))',
      replace: 'const added = cost',
      law: 12,
    },
    {
      name: 'units of one microsecond share an id',
      find: 'const id = Math.max(time, firstId, (state.at(-1) ?? 0) + 1)',
      replace: 'const id = Math.max(time, firstId)',
      law: 7,
    },
    {
      name: 'a log from far ahead does not read as empty',
      find: '  if (newest > now + window) return state.length\n',
      replace: '',
      law: 9,
    },
    {
      name: 'a refund takes a unit of the next request too',
      find: 'firstAbove(state, 1, receipt + cost - 1)',
      replace: 'firstAbove(state, 1, receipt + cost)',
      law: 1,
    },
    {
      name: 'the receipt does not move on with a refund in part',
      find: 'return { receipt: receipt + cost, remaining',
      replace: 'return { receipt, remaining',
      law: 7,
    },
    {
      name: 'after a refund the TTL is that of the oldest unit',
      find: 'state.at(-2)! + window - now : 0',
      replace: 'state[0]! + window - now : 0',
      law: 5,
    },
    {
      name: 'after a step back of the clock the TTL is one window short of the log',
      find: 'reset, ttl: time + window - now }',
      replace: 'reset, ttl: window }',
      law: 5,
    },
  ],
)
