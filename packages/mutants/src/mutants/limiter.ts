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

const reservations = mutantsOf({ file: 'core/src/to-reserved.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'settle: what it cost more is not charged',
    find: '      await chargeUpTo(costs)\n',
    replace: '',
    law: 7,
  },
  {
    name: 'settle: what it cost less is not given back',
    find: '      await giveBack(proof, unused)\n',
    replace: '',
    law: 7,
  },
  {
    name: 'settle: as often as it is asked for',
    find: '    isSettled = true\n',
    replace: '',
    law: 7,
  },
])

const changes = mutantsOf({ file: 'core/src/create-limiter.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'policies of a call are ignored',
    find: 'return overrides === undefined ? policies : withOverrides(prefix, policies, overrides)',
    replace: 'return policies',
    law: 11,
  },
  {
    name: 'policies are never replaced',
    find: '    policies = withOverrides(prefix, policies, overrides)\n',
    replace: '    withOverrides(prefix, policies, overrides)\n',
    law: 11,
  },
])

const waiting = mutantsOf({ file: 'core/src/patience.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'acquire: a caller who has left is granted a turn',
    find: 'return Promise.race([over, promise])',
    replace: 'return promise',
    law: 2,
  },
])

/** Faults of the limiter: keys, refunds, decisions, reservations, changed policies, callers who wait. */
export const limiterMutants: readonly Mutant[] = [
  ...keys,
  ...refunds,
  ...decisions,
  ...reservations,
  ...changes,
  ...waiting,
]
