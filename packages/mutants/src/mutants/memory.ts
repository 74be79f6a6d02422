import { type Mutant, mutantsOf } from '../mutant.js'

const judge = mutantsOf({ file: 'core/src/judge.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'judge: what allows is counted although another policy denies',
    find: "if (allowed && mode !== 'look') {",
    replace: "if (mode !== 'look') {",
    law: 3,
  },
  {
    name: 'judge: a shadow denies',
    find: 'if (!ruling.allowed && !targets[i]!.shadow) allowed = false',
    replace: 'if (!ruling.allowed) allowed = false',
    law: 8,
  },
  {
    name: 'judge: a shadow counts what it denies',
    find: '      if (!own) continue\n',
    replace: '',
    law: 8,
  },
  {
    name: 'judge: a charge is denied when nothing is left',
    find: "if (mode === 'charge' || mode === 'giveBack') {",
    replace: "if (mode === 'giveBack') {",
    law: 4,
  },
])

const store = mutantsOf({ file: 'core/src/memory-store.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'memory store: a state is forgotten after half of its TTL',
    find: 'now + ttl, now)',
    replace: 'now + Math.floor(ttl / 2), now)',
    law: 5,
  },
  {
    name: 'memory store: a look at a new key takes room',
    find: 'if (ttl === null) continue\n',
    replace:
      'if (ttl === null) {\n        table.set(targets[i]!.key, states[i]!, now + 1e9, now)\n        continue\n      }\n',
    law: 12,
  },
  {
    name: 'memory store: a reset forgets the first policy only',
    find: 'for (const key of keys) table.delete(key)',
    replace: 'table.delete(keys[0]!)',
    law: 10,
  },
])

const table = mutantsOf({ file: 'core/src/state-table.ts', rules: 'both', on: 'memory' }, [
  {
    name: 'state table: the longest lived goes first',
    find: 'if (parent.due <= entry.due) return',
    replace: 'if (parent.due >= entry.due) return',
    law: 12,
  },
  {
    name: 'state table: it grows beyond its bound',
    find: 'first.expires > now && entries.size < maxKeys',
    replace: 'first.expires > now',
    law: 12,
  },
  {
    name: 'state table: a key in use keeps the expiry of its first use',
    find: '        known.expires = expires\n',
    replace: '',
    law: 5,
  },
  {
    name: 'state table: one new key pushes out two',
    find: 'first.expires > now && entries.size < maxKeys',
    replace: 'first.expires > now && entries.size < maxKeys - 1',
    law: 12,
  },
])

/** Faults of the memory store and of the loop that every store without Lua runs. */
export const memoryMutants: readonly Mutant[] = [...judge, ...store, ...table]
