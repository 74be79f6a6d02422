-- Leaky bucket: requests take turns, evenly spaced; one time, at which the last turn is over.
--
-- Key      a string: that time in microseconds, and behind a colon, unless it is 0, a count of
--          parts of a microsecond on top
-- args     parts (in which a microsecond is divided, so that no rate is rounded), unit (how many
--          parts a turn takes), capacity (how many turns may be taken at once: the queue and one)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl, value. Times are microseconds, `now` since 1970. The kernel calls check and, if
--          every policy of the request allows it, record; it writes the value with the TTL, or
--          deletes the key where that is 0
-- Wait     of an allowed request: until the turns ahead of it are over, when it leaves
-- Receipt  the time at which its turns are over: a refund gives back the last turn of all, and no
--          other. 0 for a debt not kept whole
-- Cost     one GET to check, one SETEX to record; O(1)

-- Reads the time into `state`. Answers the parts of all turns not yet over: at most the capacity, a
-- debt as large, and as much again where the clock has been set back since. From further ahead, by a
-- clock that was wrong or under an older policy, it reads as none. Under an older policy a part may
-- have been smaller.
local function taken_at(state, now, parts, unit, capacity)
  local value = redis.call('GET', state.key)
  if not value then return 0 end
  local time, part = tonumber(value), 0
  if not time then
    time, part = string.match(value, '^(%d+):(%d+)$')
    time, part = tonumber(time), tonumber(part)
  end
  state.time = time
  local taken = (time - now) * parts + math.min(part, parts - 1)
  return taken > 0 and taken <= 3 * capacity * unit and taken or 0
end

-- What is to be stored of the parts of all turns not yet over: what remains, the time until they
-- are, the same as TTL, and the value.
local function keep(state, now, taken, parts, unit, capacity)
  local time, part = now + math.floor(taken / parts), taken % parts
  local value = part == 0 and time or string.format('%.0f:%.0f', time, part)
  state.time = time
  local reset = math.ceil(taken / parts)
  return math.max(0, math.floor((capacity * unit - taken) / unit)), reset, reset, value
end

local function check(state, now, cost, args)
  local parts, unit, capacity = args[1], args[2], args[3]
  local taken = taken_at(state, now, parts, unit, capacity)
  state.taken = taken
  local left = capacity * unit - taken
  local lacking = cost * unit - left
  local allowed = lacking <= 0
  return allowed,
    math.max(0, math.floor(left / unit)),
    math.ceil((allowed and taken or lacking) / parts),
    math.ceil(taken / parts)
end

local function record(state, now, cost, args)
  local parts, unit, capacity = args[1], args[2], args[3]
  local taken = state.taken or taken_at(state, now, parts, unit, capacity)
  local wanted = taken + cost * unit
  local total = math.max(taken, math.min(wanted, 2 * capacity * unit))
  local remaining, reset, ttl, value = keep(state, now, total, parts, unit, capacity)
  -- Of a debt that is not kept whole, nothing can be given back.
  return total == wanted and state.time or 0, remaining, reset, ttl, value
end

local function give_back(state, now, cost, args, receipt)
  local parts, unit, capacity = args[1], args[2], args[3]
  local taken = taken_at(state, now, parts, unit, capacity)
  local is_last = taken > 0 and receipt == state.time
  local total = math.max(0, is_last and taken - cost * unit or taken)
  local remaining, reset, ttl, value = keep(state, now, total, parts, unit, capacity)
  return is_last and state.time or receipt, remaining, reset, ttl, value
end

return { check = check, record = record, give_back = give_back }
