-- Sliding window: an exact log of the units let through.
--
-- Key      a sorted set; one entry for each unit, its score the time (microseconds) at which it was
--          let through, its member a growing integer, so that units of one time stay apart.
-- args     limit (units), window (microseconds)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl. Times are microseconds, `now` since 1970. The kernel calls check and, if every policy
--          of the request allows it, record; it sets the TTL, or deletes the key where that is 0
-- Receipt  the member of its first unit; those of the others follow
-- Cost     three or four reads of the log's ends to check; one ZADD to record, and one
--          ZREMRANGEBYRANK where entries have left the window. O(log n).

-- Members of one time must sort as numbers, so all have sixteen digits.
local first_id = 1e15

-- The time of entry number `index`, the oldest being 0.
local function time_of(key, index)
  return redis.call('ZRANGE', key, index, index, 'WITHSCORES')[2] + 0
end

-- Reads the ends of the log into `state`: the newest id and time, how many units have left the
-- window, and the count of the others with the time of their oldest. If the clock has stepped
-- back, it stands still at the newest unit; a log from more than a window ahead reads as empty.
local function load(state, now, window)
  if state.count then return end
  local key = state.key
  local newest = redis.call('ZRANGE', key, '-1', '-1')[1]
  state.gone, state.count = 0, 0
  if not newest then return end
  -- No id is behind its time, so only one ahead of now can have a time that is.
  state.id = newest + 0
  state.time = state.id > now and time_of(key, '-1') or state.id
  local size = redis.call('ZCARD', key)
  if state.time > now + window then
    state.gone = size
    return
  end
  local edge = math.max(now, state.time) - window
  state.oldest = time_of(key, '0')
  if state.oldest <= edge then
    state.gone = redis.call('ZCOUNT', key, '-inf', edge)
    state.oldest = state.gone < size and time_of(key, state.gone)
  end
  state.count = size - state.gone
end

-- Drops the units that have left the window.
local function trim(state)
  if state.gone > 0 then redis.call('ZREMRANGEBYRANK', state.key, 0, state.gone - 1) end
  state.gone = 0
end

local function check(state, now, cost, args)
  local limit, window = args[1], args[2]
  load(state, now, window)
  local left = math.max(0, limit - state.count)
  local allowed = cost <= left
  local wait = 0
  if not allowed then
    local leaver = state.gone + state.count - limit + cost - 1
    local leaves = leaver == state.gone and state.oldest or time_of(state.key, leaver)
    wait = leaves + window - now
  end
  return allowed, left, wait, (state.oldest or now) + window - now
end

local function record(state, now, cost, args)
  local limit, window = args[1], args[2]
  load(state, now, window)
  trim(state)
  local time, id = now, math.max(now, first_id)
  if state.count > 0 then
    time = math.max(now, state.time)
    id = math.max(time, first_id, state.id + 1)
  end
  local added = math.max(0, math.min(cost, 2 * limit - state.count))
  if added == 1 then
    redis.call('ZADD', state.key, time, id + cost - 1)
  elseif added > 1 then
    local entries = {}
    for i = cost - added, cost - 1 do
      entries[#entries + 1] = time
      entries[#entries + 1] = id + i
    end
    redis.call('ZADD', state.key, unpack(entries))
  end
  local remaining = math.max(0, limit - state.count - added)
  local reset = (state.oldest or time) + window - now
  return id, remaining, reset, time + window - now
end

local function give_back(state, now, cost, args, receipt)
  local limit, window = args[1], args[2]
  load(state, now, window)
  trim(state)
  local ids = {}
  for i = 1, cost do
    ids[i] = receipt + i - 1
  end
  redis.call('ZREM', state.key, unpack(ids))
  local rest = { key = state.key }
  load(rest, now, window)
  local remaining = math.max(0, limit - rest.count)
  local reset = (rest.oldest or now) + window - now
  local ttl = rest.count > 0 and rest.time + window - now or 0
  return receipt + cost, remaining, reset, ttl
end

return { check = check, record = record, give_back = give_back }
