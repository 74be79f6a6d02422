import { type Mutant, mutantsOf } from '../mutant.js'

const keys = mutantsOf({ file: 'core/src/store-key.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'keys: a "%" is not escaped',
    find: "return character === '%' ? '%25' : '%7D'",
    replace: "return character === '%' ? '%' : '%7D'",
    law: 10,
  },
  {
    name: 'keys: a "}" is not escaped',
    find: "return character === '%' ? '%25' : '%7D'",
    replace: "return character === '%' ? '%25' : '}'",
    law: 10,
  },
  {
    name: 'keys, Cluster: a leading "}" takes the slot away',
    find: "return character === '%' ? '%25' : '%7D'",
    replace: "return character === '%' ? '%25' : '}'",
    on: 'ioredis, Cluster',
    law: 10,
  },
  {
    name: 'keys: only the first "}" is escaped',
    find: 'slot.replace(/[%}]/g, escaped)',
    replace: 'slot.replace(/[%}]/, escaped)',
    law: 10,
  },
  {
    name: 'keys: the key that carries the slot stands for all',
    find: 'return slot === identity ? braced : braced + identity',
    replace: 'return braced',
    law: 10,
  },
])

const refunds = mutantsOf({ file: 'core/src/give-back.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'refund: given back as often as it is asked for',
    find: '    part.cost -= costs[i]!\n',
    replace: '',
    law: 7,
  },
])

const decisions = mutantsOf({ file: 'core/src/to-decision.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'decision: retryAfterMs is rounded down',
    find: 'Math.ceil(us / 1000)',
    replace: 'Math.floor(us / 1000)',
    law: 2,
  },
  {
    name: 'decision: the denier with the shortest wait speaks for all',
    find: 'one.wait > other.wait',
    replace: 'one.wait < other.wait',
    law: 2,
  },
  {
    name: 'decision: the policy with the most left speaks for all',
    find: 'one.remaining < other.remaining',
    replace: 'one.remaining > other.remaining',
    law: 2,
  },
])

/** Faults of the limiter: keys, refunds, decisions. */
export const limiterMutants: readonly Mutant[] = [...keys, ...refunds, ...decisions]
