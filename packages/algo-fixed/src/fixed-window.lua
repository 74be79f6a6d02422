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

-- Reads the hash into `state`: counts by start, and the newest start.
local function load(state)
  if state.counts then return end
  local fields = redis.call('HGETALL', state.key)
  state.counts = {}
  for i = 1, #fields, 2 do
    local start = tonumber(fields[i])
    state.counts[start] = tonumber(fields[i + 1])
    if not state.newest or start > state.newest then state.newest = start end
  end
end

-- When the current window began. A newer one already begun stays the current one: the clock has
-- stepped back, or the window was shorter before. From more than a window ahead it reads as empty.
local function start_at(state, now, window)
  local start = now - now % window
  local newest = state.newest
  if newest and newest > start and newest <= now + window then return newest end
  return start
end

local function count_at(state, start)
  return state.newest == start and state.counts[start] or 0
end

-- The first boundary after `start`, which lies on none if the window was of another length.
local function end_of(start, window)
  return start - start % window + window
end

local function check(state, now, cost, args)
  local limit, window = args[1], args[2]
  load(state)
  local start = start_at(state, now, window)
  local left = math.max(0, limit - count_at(state, start))
  local reset = end_of(start, window) - now
  local allowed = cost <= left
  return allowed, left, allowed and 0 or reset, reset
end

local function record(state, now, cost, args)
  local limit, window = args[1], args[2]
  load(state)
  local start = start_at(state, now, window)
  local count = count_at(state, start)
  local total = math.max(count, math.min(count + cost, 2 * limit))
  if state.newest and state.newest ~= start then
    for other in pairs(state.counts) do
      local previous = other == state.newest and other < start
      if not previous then redis.call('HDEL', state.key, other) end
    end
  end
  redis.call('HINCRBY', state.key, start, total - count)
  local reset = end_of(start, window) - now
  return start, math.max(0, limit - total), reset, reset + window
end

local function give_back(state, now, cost, args, receipt)
  local limit, window = args[1], args[2]
  load(state)
  local count = state.counts[receipt]
  if count then
    state.counts[receipt] = math.max(0, count - cost)
    redis.call('HSET', state.key, receipt, state.counts[receipt])
  end
  local start = start_at(state, now, window)
  local remaining = math.max(0, limit - count_at(state, start))
  local reset = end_of(start, window) - now
  return receipt, remaining, reset, state.newest and reset + window or 0
end

return { check = check, record = record, give_back = give_back }
