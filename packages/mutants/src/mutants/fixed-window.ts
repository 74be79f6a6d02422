import { type Mutant, mutantsOf } from '../mutant.js'

/** Faults of the fixed window in TypeScript, seen in memory. */
export const fixedWindowMutants: readonly Mutant[] = mutantsOf(
  { file: 'algo-fixed/src/fixed-window.ts', rules: 'fixed', on: 'memory' },
  [
    {
      name: 'the last unit is denied',
      find: 'const allowed = cost <= left\n',
      replace: 'const allowed = cost < left\n',
      law: 4,
    },
    {
      name: 'the wait is a microsecond short',
      find: 'wait: allowed ? 0 : reset, reset }',
      replace: 'wait: allowed ? 0 : Math.max(1, reset - 1), reset }',
      law: 2,
    },
    {
      name: 'the reset is a microsecond short',
      find: 'wait: allowed ? 0 : reset, reset }',
      replace: 'wait: allowed ? 0 : reset, reset: reset - 1 }',
      law: 4,
    },
    {
      name: 'what remains of a debt is negative',
      find: '    const left = Math.max(0, limit - countAt(state, start))\n',
      replace: '    const left = limit - countAt(state, start)\n',
      law: 4,
    },
    {
      name: 'a clock that steps back starts an older window again',
      find: 'newest !== undefined && newest > start && newest <= now + window ? newest : start',
      replace: 'start',
      law: 9,
    },
    {
      name: 'a state from far ahead does not read as empty',
      find: ' && newest <= now + window',
      replace: '',
      law: 9,
    },
    {
      name: 'the TTL ends before the window does',
      find: 'reset, ttl: reset + window }\n',
      replace: 'reset, ttl: reset - 1 }\n',
      law: 5,
    },
    {
      name: 'a refund from an old window goes into the current one',
      find: 'if (state[0] === receipt) state[1]',
      replace: 'if (state[0] !== undefined) state[1]',
      law: 1,
    },
    {
      name: 'a refund gives back more than was counted',
      find: 'state[1] = Math.max(0, state[1]! - cost)',
      replace: 'state[1] = state[1]! - 2 * cost',
      law: 7,
    },
    {
      name: 'after a change of the window, waits end where the new one would have begun',
      find: 'return start - (start % window) + window',
      replace: 'return start + window',
      law: 11,
    },
  ],
)
