import { type Mutant, mutantsOf } from '../mutant.js'

/** Faults of the kernel, seen on Redis. */
export const kernelMutants: readonly Mutant[] = mutantsOf(
  { file: 'store-redis/src/kernel.lua', rules: 'both', on: 'ioredis' },
  [
    {
      name: 'no key gets a TTL',
      find: "call('EXPIRE', key, text)",
      replace: '',
      law: 5,
    },
    {
      name: 'by its own time a key is kept for a tenth of what it must',
      find: 'local seconds = (ttl + -ttl % 1000000) / 1000000 + 1',
      replace: 'local seconds = math.ceil(ttl / 10000000)',
      law: 9,
    },
    {
      name: "the server's time ticks in whole seconds",
      find: 'now = time[1] * 1000000 + time[2]',
      replace: 'now = time[1] * 1000000',
      law: 9,
    },
    {
      name: 'what allows is counted although another policy denies',
      find: 'if allowed and counts then',
      replace: 'if counts then',
      law: 3,
    },
    {
      name: 'a look counts',
      find: 'if allowed and counts then',
      replace: 'if allowed then',
      law: 3,
    },
    {
      name: 'a shadow denies',
      find: 'if not target.shadow then allowed = false end',
      replace: 'allowed = false',
      law: 8,
    },
    {
      name: 'a shadow counts what it denies',
      find: 'if reply[at - 2] >= 0 then',
      replace: 'if true then',
      law: 8,
    },
    {
      name: 'a charge is denied when nothing is left',
      find: "asks, counts = mode == 'look' or mode == 'consume',",
      replace: "asks, counts = mode ~= 'giveBack',",
      law: 4,
    },
    {
      name: 'one failing request fails all of its call',
      find: 'pcall(decide_run)',
      replace: 'true, decide_run()',
      law: 8,
    },
    {
      name: 'a failing request shifts the keys of the next ones',
      find: '      before = before + width\n',
      replace: '',
      law: 8,
    },
    {
      name: 'what failed while writing is said to have counted nothing',
      find: 'writing and -2 or -1',
      replace: '-1',
      law: 8,
    },
    {
      name: 'the second target of a request is counted on the key of the first',
      find: '{ key = keys[before + i] }',
      replace: '{ key = keys[before + 1] }',
      law: 8,
    },
  ],
)
