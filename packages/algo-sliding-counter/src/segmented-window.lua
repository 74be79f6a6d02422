-- Segmented window: one counter for each segment of a sliding window, the oldest counted whole.
--
-- Key      a hash; each field is the start of a segment (microseconds), its value the units counted
--          in it. Segments that have left the window go with the next one recorded.
-- args     limit (units), segment (its length in microseconds), segments (how many make a window)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl. Times are microseconds, `now` since 1970. The kernel calls check and, if every policy
--          of the request allows it, record; it sets the TTL, or deletes the key where that is 0
-- Receipt  the start of the segment in which it was counted
-- Cost     one HGETALL to check, of at most segments + 1 fields; one HINCRBY to record, and one
--          HDEL where segments have left; O(segments)

-- When all of a segment has left the window; its start lies on no boundary if it was of another
-- length.
local function leave_of(start, segment, segments)
  return start - start % segment + (segments + 1) * segment
end

-- Reads the hash into `state`: the counts of the segments still inside the window by their starts,
-- the total, the oldest and the newest start, and the starts of those that have left. If the clock
-- has stepped back, it stands still at the newest segment; a state from more than a window ahead
-- reads as empty.
local function load(state, now, segment, segments)
  local fields = redis.call('HGETALL', state.key)
  local newest = 0
  for i = 1, #fields, 2 do
    newest = math.max(newest, tonumber(fields[i]))
  end
  local at = math.max(now, newest)
  state.counts, state.total, state.gone = {}, 0, {}
  state.oldest, state.newest = nil, nil
  for i = 1, #fields, 2 do
    local start, count = tonumber(fields[i]), tonumber(fields[i + 1])
    if newest > now + segment * segments or leave_of(start, segment, segments) <= at then
      state.gone[#state.gone + 1] = start
    else
      state.counts[start] = count
      state.total = state.total + count
      state.oldest = math.min(state.oldest or start, start)
      state.newest = newest
    end
  end
end

-- Drops the segments that have left.
local function trim(state)
  if #state.gone > 0 then redis.call('HDEL', state.key, unpack(state.gone)) end
end

-- The start of the segment with which, oldest first, `excess` units have left.
local function leaver_at(state, excess)
  local starts = {}
  for start in pairs(state.counts) do
    starts[#starts + 1] = start
  end
  table.sort(starts)
  for _, start in ipairs(starts) do
    excess = excess - state.counts[start]
    if excess <= 0 then return start end
  end
end

-- What remains, and when the oldest and the newest segment leave.
local function report(state, now, limit, segment, segments)
  local remaining = math.max(0, limit - state.total)
  if not state.oldest then return remaining, segment * segments, 0 end
  local reset = leave_of(state.oldest, segment, segments) - now
  return remaining, reset, leave_of(state.newest, segment, segments) - now
end

local function check(state, now, cost, args)
  local limit, segment, segments = args[1], args[2], args[3]
  load(state, now, segment, segments)
  local left, reset = report(state, now, limit, segment, segments)
  local allowed = cost <= left
  local wait = 0
  if not allowed then
    wait = leave_of(leaver_at(state, state.total + cost - limit), segment, segments) - now
  end
  return allowed, left, wait, reset
end

local function record(state, now, cost, args)
  local limit, segment, segments = args[1], args[2], args[3]
  if not state.counts then load(state, now, segment, segments) end
  trim(state)
  local added = math.max(0, math.min(cost, 2 * limit - state.total))
  local start = math.max(now - now % segment, state.newest or 0)
  if added > 0 then
    redis.call('HINCRBY', state.key, start, added)
    state.total = state.total + added
    state.oldest, state.newest = state.oldest or start, start
  end
  return start, report(state, now, limit, segment, segments)
end

local function give_back(state, now, cost, args, receipt)
  local limit, segment, segments = args[1], args[2], args[3]
  load(state, now, segment, segments)
  trim(state)
  local count = state.counts[receipt]
  if count then
    if count > cost then
      redis.call('HSET', state.key, receipt, count - cost)
    else
      redis.call('HDEL', state.key, receipt)
    end
    load(state, now, segment, segments)
  end
  return receipt, report(state, now, limit, segment, segments)
end

return { check = check, record = record, give_back = give_back }
