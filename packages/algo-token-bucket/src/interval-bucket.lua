-- Interval bucket: tokens that come back only at the ends of intervals.
--
-- Key      a string: when the bucket will be full, in microseconds, and behind a colon by how many
--          tokens the last refill will then be too large
-- args     capacity (tokens), refill (tokens per interval), interval (microseconds)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl. Times are microseconds, `now` since 1970. The kernel calls check and, if every policy
--          of the request allows it, record; it sets the TTL, or deletes the key where that is 0
-- Receipt  the time of the request: a refund puts back what has not been refilled since
-- Cost     one GET to check, one SET to record; O(1)

-- Reads the key into `state`. Answers how many refills the bucket still needs to be full: at most
-- those of an empty one with a debt as large, and those of an empty one again where the clock has
-- been set back since. From further ahead, by a clock that was wrong or under an older policy, it
-- reads as full.
local function refills_at(state, now, capacity, refill, interval)
  if not state.time then
    local value = redis.call('GET', state.key)
    if not value then return 0 end
    local time, spare = string.match(value, '^(%d+):(%d+)$')
    state.time, state.spare = tonumber(time), tonumber(spare)
  end
  local ahead = state.time - now
  -- In time and not in refills: rounded up twice, it would reach beyond what a step can explain.
  local most = (math.ceil(2 * capacity / refill) + capacity / refill) * interval
  return ahead > 0 and ahead <= most and math.ceil(ahead / interval) or 0
end

-- How many tokens are missing now. Under an older policy the last refill may have been larger.
local function missing_at(state, refills, refill)
  return refills > 0 and refills * refill - math.min(state.spare, refill - 1) or 0
end

-- Stores how many tokens are missing; refills keep their times, or start an interval from now.
-- Answers what remains, the time until the bucket is full, and the same as TTL.
local function keep(state, now, refills, missing, capacity, refill, interval)
  local last_refill = refills > 0 and state.time - refills * interval or now
  local needed = math.ceil(missing / refill)
  state.time = missing > 0 and last_refill + needed * interval or now
  state.spare = needed * refill - missing
  redis.call('SET', state.key, string.format('%.0f:%.0f', state.time, state.spare))
  local reset = state.time - now
  return math.max(0, capacity - missing), reset, reset
end

local function check(state, now, cost, args)
  local capacity, refill, interval = args[1], args[2], args[3]
  local refills = refills_at(state, now, capacity, refill, interval)
  local missing = missing_at(state, refills, refill)
  local allowed = missing + cost <= capacity
  -- How many of the refills to come are not needed for this cost.
  local later = math.floor((capacity - cost + refills * refill - missing) / refill)
  return allowed,
    math.max(0, capacity - missing),
    allowed and 0 or state.time - later * interval - now,
    refills > 0 and state.time - now or 0
end

local function record(state, now, cost, args)
  local capacity, refill, interval = args[1], args[2], args[3]
  local refills = refills_at(state, now, capacity, refill, interval)
  local missing = missing_at(state, refills, refill)
  local total = math.max(missing, math.min(missing + cost, 2 * capacity))
  -- What exceeds the debt that is kept was not counted: to a refund it was refilled before now.
  local uncounted = missing + cost - total
  local receipt = math.max(0, now - math.ceil(uncounted / refill) * interval)
  return receipt, keep(state, now, refills, total, capacity, refill, interval)
end

-- What has been refilled since the request would, without it, have been there anyhow.
local function give_back(state, now, cost, args, receipt)
  local capacity, refill, interval = args[1], args[2], args[3]
  local refills = refills_at(state, now, capacity, refill, interval)
  local missing = missing_at(state, refills, refill)
  -- How many refills there have been since the request.
  local since = math.ceil(((state.time or now) - receipt) / interval) - refills
  local total = math.max(0, missing - math.max(0, cost - math.max(0, since) * refill))
  return receipt, keep(state, now, refills, total, capacity, refill, interval)
end

return { check = check, record = record, give_back = give_back }
