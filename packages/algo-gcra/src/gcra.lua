-- GCRA: one time, at which everything will have drained (the theoretical arrival time).
--
-- Key      a string: that time in microseconds; if a count of parts of a microsecond comes on top,
--          16 digits of time, a colon and that count
-- args     parts (in which a microsecond is divided, so that no rate is rounded), unit (how many
--          parts a unit of cost takes to drain), burst (units)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl, value. Times are microseconds, `now` since 1970. The kernel calls check and, if
--          every policy of the request allows it, record; it writes the value with the TTL, or
--          deletes the key where that is 0
-- Receipt  the time of the request: a refund gives back what has not drained since
-- Cost     one GET to check, one SETEX to record; O(1)

local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min

-- The parts still to drain: at most the burst, a debt as large, and as much again where the clock
-- has been set back since. From further ahead, by a clock that was wrong or under an older policy,
-- it reads as none. Under an older policy a part may have been smaller.
local function used_at(state, now, parts, unit, burst)
  local value = redis.call('GET', state.key)
  if not value then return 0 end
  local used
  if #value > 16 then
    local time, part = string.sub(value, 1, 16), tonumber(string.sub(value, 18))
    used = (time - now) * parts + min(part, parts - 1)
  else
    used = (value - now) * parts
  end
  return used > 0 and used <= 3 * burst * unit and used or 0
end

-- What is to be stored of the parts still to drain: what remains, the time that takes, the same as
-- TTL, and the value.
local function keep(now, used, parts, unit, burst)
  local part = used % parts
  local time = now + (used - part) / parts
  local value = part == 0 and time or string.format('%016.0f:%.0f', time, part)
  local left = burst * unit - used
  local reset = ceil(used / parts)
  return left > 0 and floor(left / unit) or 0, reset, reset, value
end

local function check(state, now, cost, args)
  local parts, unit, burst = args[1], args[2], args[3]
  local used = used_at(state, now, parts, unit, burst)
  local left = burst * unit - used
  local lacking = cost * unit - left
  if lacking <= 0 then state.used = used end
  return lacking <= 0,
    left > 0 and floor(left / unit) or 0,
    lacking > 0 and ceil(lacking / parts) or 0,
    ceil(used / parts)
end

local function record(state, now, cost, args)
  local parts, unit, burst = args[1], args[2], args[3]
  local used = state.used or used_at(state, now, parts, unit, burst)
  local total = max(used, min(used + cost * unit, 2 * burst * unit))
  -- What exceeds the debt that is kept was not counted: to a refund it has drained before now.
  local uncounted = cost * unit - (total - used)
  local receipt = max(0, now - ceil(uncounted / parts))
  return receipt, keep(now, total, parts, unit, burst)
end

-- What has drained since the request would, without it, have been free anyhow.
local function give_back(state, now, cost, args, receipt)
  local parts, unit, burst = args[1], args[2], args[3]
  local used = used_at(state, now, parts, unit, burst)
  local drained = max(0, now - receipt) * parts
  local total = used - min(used, max(0, cost * unit - drained))
  return receipt, keep(now, total, parts, unit, burst)
end

return { check = check, record = record, give_back = give_back }
