-- Fixed window: one counter for each window of the clock.
--
-- Key      a hash; each field is the start of a window (microseconds), its value the units
--          counted in it. It holds the current window and the one before; older ones go with the
--          first hit of a new window.
-- args     limit (units), window (microseconds)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl. Times are microseconds, `now` since 1970. The kernel calls check and, if every policy
--          of the request allows it, record; it sets the TTL, or deletes the key where that is 0
-- Receipt  when the window began in which it was counted
-- Cost     one HGETALL to check; one HINCRBY to record, and one HDEL in a new window

-- Reads the hash: all its fields; and of the newest window the start, the count, and the start as
-- text. Numbers cost Redis more to write than to read.
local function load(state)
  local fields = state.fields or redis.call('HGETALL', state.key)
  local newest, count, field
  for i = 1, #fields, 2 do
    local start = fields[i] + 0
    if not newest or start > newest then
      newest, count, field = start, fields[i + 1] + 0, fields[i]
    end
  end
  return fields, newest, count, field
end

-- When the current window began. A newer one already begun stays the current one: the clock has
-- stepped back, or the window was shorter before. From more than a window ahead it reads as empty.
local function start_at(newest, now, window)
  local start = now - now % window
  if newest and newest > start and newest <= now + window then return newest end
  return start
end

-- The first boundary after `start`, which lies on none if the window was of another length.
local function end_of(start, window)
  return start - start % window + window
end

local function check(state, now, cost, args)
  local limit, window = args[1], args[2]
  local fields, newest, count = load(state)
  local start = start_at(newest, now, window)
  if newest ~= start then count = 0 end
  local left = count < limit and limit - count or 0
  local reset = end_of(start, window) - now
  local allowed = cost <= left
  if allowed then state.fields = fields end
  return allowed, left, allowed and 0 or reset, reset
end

local function record(state, now, cost, args)
  local limit, window = args[1], args[2]
  local fields, newest, count, field = load(state)
  local start = start_at(newest, now, window)
  if newest ~= start then
    for i = 1, #fields, 2 do
      local previous = fields[i] == field and newest < start
      if not previous then redis.call('HDEL', state.key, fields[i]) end
    end
    count, field = 0, start
  end
  local total = math.max(count, math.min(count + cost, 2 * limit))
  redis.call('HINCRBY', state.key, field, total - count)
  local reset = end_of(start, window) - now
  return start, math.max(0, limit - total), reset, reset + window
end

local function give_back(state, now, cost, args, receipt)
  local limit, window = args[1], args[2]
  local fields, newest, count = load(state)
  for i = 1, #fields, 2 do
    if fields[i] + 0 == receipt then
      local rest = math.max(0, fields[i + 1] - cost)
      redis.call('HSET', state.key, fields[i], rest)
      if receipt == newest then count = rest end
    end
  end
  local start = start_at(newest, now, window)
  local remaining = math.max(0, limit - (newest == start and count or 0))
  local reset = end_of(start, window) - now
  return receipt, remaining, reset, newest and reset + window or 0
end

return { check = check, record = record, give_back = give_back }
