-- Leaky bucket: requests take turns, evenly spaced; one time, at which the last turn is over.
--
-- Key      a string: that time in microseconds, and behind a colon, unless it is 0, a count of
--          parts of a microsecond
-- args     parts (of a microsecond; time is counted in them), unit (the parts a turn takes),
--          capacity (the turns that may be taken at once)
-- Cost     one GET to check, one SET to record. O(1).

-- Reads the time into `state`. Answers the parts of all turns not yet over; more than the capacity
-- and a debt as large is of a clock since set back.
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
  return taken > 0 and taken <= 2 * capacity * unit and taken or 0
end

-- Notes the parts of all turns not yet over; answers what remains, the time until then, and the
-- same as TTL.
local function keep(state, now, taken, parts, unit, capacity)
  local time, part = now + math.floor(taken / parts), taken % parts
  redis.call('SET', state.key, part == 0 and time or string.format('%.0f:%.0f', time, part))
  state.time = time
  local reset = math.ceil(taken / parts)
  return math.max(0, math.floor((capacity * unit - taken) / unit)), reset, reset
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
  local remaining, reset, ttl = keep(state, now, total, parts, unit, capacity)
  -- Of a debt that is not kept whole, nothing can be given back.
  return total == wanted and state.time or 0, remaining, reset, ttl
end

local function give_back(state, now, cost, args, receipt)
  local parts, unit, capacity = args[1], args[2], args[3]
  local taken = taken_at(state, now, parts, unit, capacity)
  local is_last = taken > 0 and receipt == state.time
  local total = math.max(0, is_last and taken - cost * unit or taken)
  local remaining, reset, ttl = keep(state, now, total, parts, unit, capacity)
  return is_last and state.time or receipt, remaining, reset, ttl
end

return { check = check, record = record, give_back = give_back }
