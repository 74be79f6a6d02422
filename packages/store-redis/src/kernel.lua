-- The kernel: decides the requests of one call, one after another, each for itself.
--
-- KEYS     the key of every target, request after request
-- ARGV     now in microseconds, or 0 for the server's own time; then runs of requests that differ
--          only in their keys, each run being:
--            count, mode, targets, and for each target:
--            algorithm, cost, receipt, shadow, number of args, args
--          with mode look, consume, charge or giveBack, algorithm an index of `algorithms`, shadow
--          0 or 1, all else integers
-- Reply    flat, request after request: for each target allowed (0 or 1), remaining, wait, reset,
--          receipt; or, for a request that failed, -1 (nothing was written) or -2 (something may
--          have been) and the error's message
-- Before   `algorithms`, a list of functions, each of which makes an algorithm's module

local given = tonumber(ARGV[1])
local now = given
if given == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- Lets a key expire when its state no longer matters, with a second to spare. A given clock may
-- run otherwise than the server's, by which keys expire: then it is kept for a day at least. With
-- nothing left to remember, the key goes at once.
local function keep(key, ttl)
  if ttl <= 0 then return redis.call('DEL', key) end
  local ms = math.ceil(ttl / 1000) + 1000
  if given ~= 0 then ms = math.max(ms, 86400000) end
  redis.call('PEXPIRE', key, ms)
end

local reply, size = {}, 0
local writing

-- Decides one request of a run, whose keys follow KEYS[before].
local function decide(mode, targets, before)
  local states, allowed = {}, true
  for i, target in ipairs(targets) do
    states[i] = { key = KEYS[before + i] }
    local own, remaining, wait, reset = true, 0, 0, 0
    if mode == 'look' or mode == 'consume' then
      own, remaining, wait, reset = target.rule.check(states[i], now, target.cost, target.args)
    end
    if not own and not target.shadow then allowed = false end
    local at = size + 5 * i - 5
    reply[at + 1], reply[at + 2], reply[at + 3] = own and 1 or 0, remaining, wait
    reply[at + 4], reply[at + 5] = reset, 0
  end
  if allowed and mode ~= 'look' then
    writing = true
    for i, target in ipairs(targets) do
      local at = size + 5 * i - 5
      if reply[at + 1] == 1 then
        local count = mode == 'giveBack' and target.rule.give_back or target.rule.record
        local receipt, remaining, reset, ttl =
          count(states[i], now, target.cost, target.args, target.receipt)
        keep(states[i].key, ttl)
        reply[at + 2], reply[at + 4], reply[at + 5] = remaining, reset, receipt
      end
    end
  end
  size = size + 5 * #targets
end

local at = 1
local function next_number()
  at = at + 1
  return tonumber(ARGV[at])
end

local rules = {}
local before = 0
while at < #ARGV do
  local count = next_number()
  at = at + 1
  local mode = ARGV[at]
  local targets = {}
  for i = 1, next_number() do
    local algorithm = next_number()
    rules[algorithm] = rules[algorithm] or algorithms[algorithm]()
    local target = { rule = rules[algorithm], cost = next_number(), receipt = next_number() }
    target.shadow = next_number() == 1
    target.args = {}
    for j = 1, next_number() do
      target.args[j] = next_number()
    end
    targets[i] = target
  end
  for _ = 1, count do
    writing = false
    local done, failure = pcall(decide, mode, targets, before)
    if not done then
      for i = #reply, size + 1, -1 do
        reply[i] = nil
      end
      reply[size + 1] = writing and -2 or -1
      reply[size + 2] = type(failure) == 'table' and failure.err or tostring(failure)
      size = size + 2
    end
    before = before + #targets
  end
end
return reply
