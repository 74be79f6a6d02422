-- Template rule: TODO: what it does, in a line.
--
-- Key      TODO: what stands under the key
-- args     limit (units), window (microseconds)
-- Answer   check: allowed, remaining, wait, reset; record and give_back: receipt, remaining, reset,
--          ttl. Times are microseconds, `now` since 1970. The kernel calls check and, if every policy
--          of the request allows it, record; it sets the TTL, or deletes the key where that is 0
-- Receipt  TODO: what it tells of the request, so that a refund gives back no more than still counts
-- Cost     TODO: the commands of a check and of a record

-- Judges the moment before the cost: allowed, remaining, wait, reset. Writes nothing.
local function check(state, now, cost, args)
  local limit, window = args[1], args[2]
  return true, limit, 0, window
end

-- Counts the cost under state.key: receipt, remaining, reset, ttl.
local function record(state, now, cost, args)
  local limit, window = args[1], args[2]
  return now, limit, window, window
end

-- Gives back what of the cost still counts: receipt, remaining, reset, ttl.
local function give_back(state, now, cost, args, receipt)
  local limit, window = args[1], args[2]
  return receipt, limit, window, 0
end

return { check = check, record = record, give_back = give_back }
