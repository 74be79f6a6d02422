-- Compact sliding window: an exact log of the requests let through, of one entry each.
--
-- Key      a list. While all costs are 1 it is plain: the time (microseconds) of each unit, oldest
--          first. The first other cost makes it weighted: for each time two elements, the time and
--          the running total of units ahead of it, and last of all the whole running total as a
--          negative number, by which the two kinds are told apart. From 2^31 on, the total
--          ahead of an entry is 7 bytes, highest first, of which Redis makes 9; of an integer, 10.
-- args     limit (units), window (microseconds)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl. Times are microseconds, `now` since 1970. The kernel calls check and, if every policy
--          of the request allows it, record; it sets the TTL, or deletes the key where that is 0
-- Receipt  the time at which it was counted; 0 for a debt not kept whole
-- Cost     four reads of the ends to check, a few more where entries have left the window; one
--          RPUSH to record (weighted: an LSET more), and one LTRIM where entries have left. A
--          change of kind, a refund, and totals that begin anew rewrite what is behind them.

-- Running totals begin anew once more units have left than are there: so no unit is rewritten more
-- than a few times. From `most_total` on they would at last be too large for whole numbers; from
-- `small_total` on they are packed and take more memory, for which only a short log is worth
-- rewriting.
local most_total = 2 ^ 52
local small_total = 2 ^ 31
local short_log = 10000

-- Reads an element of the list. An index that is always the same is given as text: numbers cost
-- Redis more to write than an element costs it to find.
local function element(state, index)
  return redis.call('LINDEX', state.key, index) + 0
end

-- A running total as the list holds it.
local function packed(total)
  return total < small_total and total or struct.pack('>I7', total)
end

-- Below 2^53 the first of the 7 bytes is below 32, and so no digit.
local function unpacked(text)
  return text:byte() < 32 and struct.unpack('>I7', text) or text + 0
end

local function time_of(state, entry)
  return element(state, state.weighted and 2 * entry or entry)
end

-- The running total of units ahead of an entry; behind the last entry, of all.
local function before_of(state, entry)
  if not state.weighted then return entry end
  if entry == state.size then return state.total end
  return unpacked(redis.call('LINDEX', state.key, 2 * entry + 1))
end

-- The first of `size` entries of which `holds` is true, as it is of all behind it: near the head
-- in few steps, anywhere by bisection.
local function first_entry(size, holds)
  local low, high, step = 0, 0, 1
  while high < size and not holds(high) do
    low = high + 1
    high = math.min(size, high + step)
    step = step * 2
  end
  while low < high do
    local middle = math.floor((low + high) / 2)
    if holds(middle) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

-- Reads into `state` what kind of list it is, how many entries it has, their running total, the
-- newest time, and the first entry still inside the window with its time and the units ahead of
-- it. If the clock has stepped back, it stands still at the newest entry; a log from more than a
-- window ahead reads as empty.
local function load(state, now, window)
  local last = redis.call('LINDEX', state.key, '-1')
  state.weighted, state.size, state.total, state.newest = false, 0, 0, 0
  if last then
    local length = redis.call('LLEN', state.key)
    last = last + 0
    state.weighted = last < 0
    state.size = state.weighted and (length - 1) / 2 or length
    state.total = state.weighted and -last or length
    state.newest = state.weighted and element(state, '-3') or last
  end
  local first, oldest = state.size, nil
  if last and state.newest <= now + window then
    local edge = math.max(now, state.newest) - window
    first, oldest = 0, element(state, '0')
    if oldest <= edge then
      first = first_entry(state.size, function(entry)
        return time_of(state, entry) > edge
      end)
      oldest = first < state.size and time_of(state, first) or nil
    end
  end
  state.first, state.gone, state.oldest = first, before_of(state, first), oldest
end

-- Appends elements, as many at once as a call can take.
local function push(state, elements)
  for i = 1, #elements, 7000 do
    redis.call('RPUSH', state.key, unpack(elements, i, math.min(i + 6999, #elements)))
  end
end

-- Counts running totals from the first entry on.
local function begin_anew(state)
  local elements = redis.call('LRANGE', state.key, 0, -1)
  for i = 2, #elements - 1, 2 do
    elements[i] = packed(unpacked(elements[i]) - state.gone)
  end
  elements[#elements] = elements[#elements] + state.gone
  redis.call('DEL', state.key)
  push(state, elements)
  state.total, state.gone = state.total - state.gone, 0
end

-- Drops the entries that have left the window.
local function trim(state)
  if state.first == state.size then
    if state.size > 0 then redis.call('DEL', state.key) end
    state.weighted, state.size, state.total, state.newest = false, 0, 0, 0
  elseif state.first > 0 then
    redis.call('LTRIM', state.key, state.weighted and 2 * state.first or state.first, -1)
    state.size = state.size - state.first
    if not state.weighted then state.total = state.size end
  end
  state.first = 0
  state.gone = before_of(state, 0)
  local most = state.size > short_log and most_total or small_total
  if state.total >= most and 2 * state.gone > state.total then begin_anew(state) end
end

-- Makes a plain list weighted.
local function weigh(state)
  local times = redis.call('LRANGE', state.key, 0, -1)
  local elements = {}
  for i, time in ipairs(times) do
    if time ~= times[i - 1] then
      elements[#elements + 1] = time
      elements[#elements + 1] = i - 1
    end
  end
  elements[#elements + 1] = -#times
  redis.call('DEL', state.key)
  push(state, elements)
end

-- Adds units at a time no earlier than the newest entry.
local function append(state, time, units)
  if units == 0 then return end
  if units == 1 and not state.weighted then
    redis.call('RPUSH', state.key, time)
  elseif state.size == 0 then
    redis.call('RPUSH', state.key, time, 0, -units)
  else
    if not state.weighted then weigh(state) end
    if state.newest == time then
      redis.call('LSET', state.key, -1, -state.total - units)
    else
      redis.call('LSET', state.key, -1, time)
      redis.call('RPUSH', state.key, packed(state.total), -state.total - units)
    end
  end
end

-- Puts elements in the place of all from `index` on.
local function replace_from(state, index, elements)
  if index == 0 then
    redis.call('DEL', state.key)
  else
    redis.call('LTRIM', state.key, 0, index - 1)
  end
  push(state, elements)
end

-- Takes away up to `units` of those counted at this time.
local function remove_at(state, time, units)
  local from = first_entry(state.size, function(entry)
    return time_of(state, entry) >= time
  end)
  if from == state.size or time_of(state, from) ~= time then return end
  if not state.weighted then
    local beyond = first_entry(state.size, function(entry)
      return time_of(state, entry) > time
    end)
    local taken = math.min(units, beyond - from)
    replace_from(state, from, redis.call('LRANGE', state.key, from + taken, -1))
    return
  end
  local held = before_of(state, from + 1) - before_of(state, from)
  local taken = math.min(units, held)
  local index = 2 * from
  if taken < held then index = index + 2 end
  local elements = redis.call('LRANGE', state.key, 2 * from + 2, -1)
  for i = 2, #elements - 1, 2 do
    elements[i] = packed(unpacked(elements[i]) - taken)
  end
  elements[#elements] = elements[#elements] + taken
  if index == 0 and #elements == 1 then elements = {} end
  replace_from(state, index, elements)
end

local function check(state, now, cost, args)
  local limit, window = args[1], args[2]
  load(state, now, window)
  local count = state.total - state.gone
  local left = math.max(0, limit - count)
  local allowed = cost <= left
  local wait = 0
  if not allowed then
    local unit = state.gone + count + cost - limit
    local leaver = unit - 1
    if state.weighted then
      leaver = first_entry(state.size, function(entry)
        return before_of(state, entry + 1) >= unit
      end)
    end
    local leaves = leaver == state.first and state.oldest or time_of(state, leaver)
    wait = leaves + window - now
  end
  return allowed, left, wait, (state.oldest or now) + window - now
end

local function record(state, now, cost, args)
  local limit, window = args[1], args[2]
  if not state.first then load(state, now, window) end
  trim(state)
  local count = state.total - state.gone
  local added = math.max(0, math.min(cost, 2 * limit - count))
  local time = math.max(now, state.newest)
  append(state, time, added)
  local remaining = math.max(0, limit - count - added)
  local reset = (state.oldest or time) + window - now
  -- Of a debt that is not kept whole, nothing can be given back.
  return added == cost and time or 0, remaining, reset, time + window - now
end

local function give_back(state, now, cost, args, receipt)
  local limit, window = args[1], args[2]
  load(state, now, window)
  trim(state)
  remove_at(state, receipt, cost)
  load(state, now, window)
  local remaining = math.max(0, limit - state.total + state.gone)
  local reset = (state.oldest or now) + window - now
  local ttl = state.size > 0 and state.newest + window - now or 0
  return receipt, remaining, reset, ttl
end

return { check = check, record = record, give_back = give_back }
