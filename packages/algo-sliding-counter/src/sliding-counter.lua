-- Sliding counter: a sliding window estimated from the counts of two windows of the clock.
--
-- Key      a string of four integers with colons between: when the newest window began
--          (microseconds), its count, the count of the window before it, and how long before it
--          that one began (milliseconds; 0 if nothing is counted in it)
-- args     limit (units), window (milliseconds, in which its elapsed part is counted as well)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl, value. Times are microseconds, `now` since 1970. The kernel calls check and, if
--          every policy of the request allows it, record; it writes the value with the TTL, or
--          deletes the key where that is 0
-- Receipt  when the window began in which it was counted
-- Cost     one GET to check, one SETEX to record; O(1)

-- The counts around now: when the current window began and when it ends (microseconds), its count
-- and that of the one before, and how long before it that one began (milliseconds). A newer window
-- already begun stays the current one: the clock has stepped back, or the window was shorter before.
-- From more than a window ahead it reads as empty.
local function counts_at(state, now, window)
  local length = window * 1000
  local aligned = now - now % length
  local newest, newest_count, before_newest, gap = 0, 0, 0, 0
  local value = redis.call('GET', state.key)
  if value then
    newest, newest_count, before_newest, gap = string.match(value, '^(%d+):(%d+):(%d+):(%d+)$')
    newest, newest_count = tonumber(newest), tonumber(newest_count)
    before_newest, gap = tonumber(before_newest), tonumber(gap)
  end
  local start = newest > aligned and newest <= now + length and newest or aligned
  local stop = start - start % length + length
  if newest == start then
    return { start = start, stop = stop, count = newest_count, previous = before_newest, gap = gap }
  end
  local previous = newest < start and newest >= start - length and newest_count or 0
  gap = previous > 0 and (start - newest) / 1000 or 0
  return { start = start, stop = stop, count = 0, previous = previous, gap = gap }
end

-- The units left by the estimate: of the previous window that part counts, rounded up, which a window
-- that slides would still see.
local function left_at(counts, now, limit, window)
  local elapsed = math.min(window, math.max(0, math.floor((now - counts.start) / 1000)))
  local gone = math.floor(counts.previous * elapsed / window)
  return math.max(0, limit - counts.count - (counts.previous - gone))
end

-- When the estimate first leaves room for `cost`: in the current window, or in the next one.
local function time_for(counts, cost, limit, window)
  local excess = counts.count + cost - limit
  if excess > 0 then return counts.stop + math.ceil(excess * window / counts.count) * 1000 end
  local elapsed = math.ceil((counts.previous + excess) * window / counts.previous)
  return math.min(counts.stop, counts.start + elapsed * 1000)
end

-- Microseconds until everything counted has left the estimate.
local function reset_at(counts, now, window)
  if counts.count > 0 then return counts.stop + window * 1000 - now end
  return counts.previous > 0 and counts.stop - now or 0
end

-- What is to be stored of the counts: what remains, the reset, the same as TTL, and the value.
local function keep(now, counts, limit, window)
  local value =
    string.format('%.0f:%.0f:%.0f:%.0f', counts.start, counts.count, counts.previous, counts.gap)
  local reset = reset_at(counts, now, window)
  return left_at(counts, now, limit, window), reset, reset, value
end

local function check(state, now, cost, args)
  local limit, window = args[1], args[2]
  local counts = counts_at(state, now, window)
  state.counts = counts
  local left = left_at(counts, now, limit, window)
  local allowed = cost <= left
  local wait = allowed and 0 or time_for(counts, cost, limit, window) - now
  return allowed, left, wait, reset_at(counts, now, window)
end

local function record(state, now, cost, args)
  local limit, window = args[1], args[2]
  local counts = state.counts or counts_at(state, now, window)
  counts.count = math.max(counts.count, math.min(counts.count + cost, 2 * limit))
  return counts.start, keep(now, counts, limit, window)
end

local function give_back(state, now, cost, args, receipt)
  local limit, window = args[1], args[2]
  local counts = counts_at(state, now, window)
  if counts.start == receipt then
    counts.count = math.max(0, counts.count - cost)
  elseif counts.start - counts.gap * 1000 == receipt then
    counts.previous = math.max(0, counts.previous - cost)
  end
  return receipt, keep(now, counts, limit, window)
end

return { check = check, record = record, give_back = give_back }
