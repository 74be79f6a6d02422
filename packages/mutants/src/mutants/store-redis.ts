import { type Mutant, mutantsOf } from '../mutant.js'

const wire = mutantsOf({ file: 'store-redis/src/wire.ts', rules: 'both', on: 'node-redis' }, [
  {
    name: 'wire: requests of different costs travel as one run',
    find: 'a.policy !== b.policy || a.cost !== b.cost',
    replace: 'a.policy !== b.policy',
    law: 8,
  },
  {
    name: 'wire: refunds of different receipts travel as one run',
    find: 'a.receipt !== b.receipt || a.shadow !== b.shadow',
    replace: 'a.shadow !== b.shadow',
    law: 8,
  },
  {
    name: 'wire: requests of different policies travel as one run',
    find: 'a.policy !== b.policy || a.cost !== b.cost',
    replace: 'a.cost !== b.cost',
    law: 8,
  },
  {
    name: 'wire: the reset is read as the wait',
    find: 'const wait = integer(items[at + 1], 0)',
    replace: 'const wait = reset',
    law: 6,
  },
  {
    name: 'wire: a shadow denies',
    find: 'if (!shadow) allowed = false',
    replace: 'allowed = false',
    law: 8,
  },
  {
    name: 'wire: the keys of a call are sent in the order of their names',
    find: '  return { keys, args }\n',
    replace: '  return { keys: keys.sort(), args }\n',
    law: 8,
  },
])

const gathering = mutantsOf(
  { file: 'store-redis/src/redis-store.ts', rules: 'both', on: 'node-redis' },
  [
    {
      name: 'gathering: a script the server has lost is run twice',
      find: 'if (isNoScript(error)) return driver.eval(script.text, keys, args)',
      replace: `if (isNoScript(error)) {
        return driver.eval(script.text, keys, args).then(() => driver.eval(script.text, keys, args))
      }`,
      law: 8,
    },
    {
      name: 'gathering: every call is tried once more',
      find: 'const reply = await driver.evalsha(script.sha, keys, args)',
      replace:
        'await driver.evalsha(script.sha, keys, args).catch(() => {})\n    const reply = await driver.evalsha(script.sha, keys, args)',
      law: 6,
    },
    {
      name: 'gathering: what was sent is sent with the next call again',
      find: '    waiting = new Map()\n',
      replace: '',
      law: 8,
    },
    {
      name: 'gathering: the last request of a turn goes first',
      find: 'batch.push(pending)',
      replace: 'batch.unshift(pending)',
      law: 8,
    },
    {
      name: 'gathering, Cluster: requests of one slot are turned round',
      find: 'batch.push(pending)',
      replace: 'batch.unshift(pending)',
      on: 'ioredis, Cluster',
      law: 8,
    },
  ],
)

const script = mutantsOf({ file: 'store-redis/src/script.ts', rules: 'both', on: 'node-redis' }, [
  {
    name: 'script: one algorithm is taken for another',
    find: 'sources.get(name)}',
    replace: 'sources.get(names.at(-1)!)}',
    law: 8,
  },
])

/** Faults between a store's callers and the kernel. */
export const storeRedisMutants: readonly Mutant[] = [...wire, ...gathering, ...script]
