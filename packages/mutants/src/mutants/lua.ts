import { type Mutant, mutantsOf } from '../mutant.js'

const fixed = mutantsOf(
  { file: 'algo-fixed/src/fixed-window.lua', rules: 'fixed', on: 'ioredis' },
  [
    {
      name: 'Lua: after a refund an older window still counts',
      find: '(newest == start and count or 0)',
      replace: '(count or 0)',
      law: 6,
    },
    {
      name: 'Lua: debt has no cap',
      find: 'math.max(count, math.min(count + cost, 2 * limit))',
      replace: 'count + cost',
      law: 6,
    },
    {
      name: 'Lua: a window from far ahead is kept as the newest',
      find: 'fields[i] == field and newest < start',
      replace: 'fields[i] == field',
      law: 9,
    },
    {
      name: 'Lua: old windows are never dropped',
      find: "if not previous then redis.call('HDEL', state.key, fields[i]) end",
      replace: '',
      law: 12,
    },
    {
      name: 'Lua: a refund is answered and not written',
      find: "redis.call('HSET', state.key, fields[i], rest)",
      replace: '',
      law: 7,
    },
    {
      name: 'Lua: the current window is read from the clock alone',
      find: 'if newest and newest > start and newest <= now + window then return newest end',
      replace: '',
      law: 9,
    },
  ],
)

const sliding = mutantsOf(
  { file: 'algo-sliding/src/sliding-window.lua', rules: 'sliding', on: 'node-redis' },
  [
    {
      name: 'Lua: the oldest unit stays until the microsecond after its window',
      find: 'if state.oldest <= edge then',
      replace: 'if state.oldest < edge then',
      law: 2,
    },
    {
      name: 'Lua: the wait is for the oldest unit, however many must leave',
      find: 'local leaver = state.gone + state.count - limit + cost - 1',
      replace: 'local leaver = state.gone',
      law: 2,
    },
    {
      name: 'Lua: a look drops what has left the window',
      find: '  load(state, now, window)\n  local left',
      replace: '  load(state, now, window)\n  trim(state)\n  local left',
      law: 3,
    },
    {
      name: 'Lua: units that have left the window are never dropped',
      find: "if state.gone > 0 then redis.call('ZREMRANGEBYRANK', state.key, 0, state.gone - 1) end",
      replace: '',
      law: 12,
    },
    {
      name: 'Lua: a refund takes the units after its own',
      find: 'ids[i] = receipt + i - 1',
      replace: 'ids[i] = receipt + i',
      law: 7,
    },
    {
      name: 'Lua: units of one microsecond replace one another',
      find: 'id = math.max(time, first_id, state.id + 1)',
      replace: 'id = math.max(time, first_id)',
      law: 1,
    },
    {
      name: 'Lua: a clock that steps back puts the log out of order',
      find: 'time = math.max(now, state.time)',
      replace: 'time = now',
      law: 9,
    },
  ],
)

/** Faults of the Lua twins, seen on Redis. */
export const luaMutants: readonly Mutant[] = [...fixed, ...sliding]
