-- The kernel: decides the requests of one call, one after another, each for itself.
--
-- KEYS     the key of every target, request after request
-- ARGV     now in microseconds, or -1 for the server's own time; then runs of requests that differ
--          only in their keys, each run being:
--            count, mode, targets, and for each target:
--            algorithm, cost, receipt, shadow, number of args, args
--          with mode look, consume, charge or giveBack, algorithm a name, shadow 0 or 1, all else
--          integers
-- Reply    flat, request after request, for each target:
--            allowed: remaining, receipt, reset
--            denied:  -1 - remaining, wait, reset
--          The wait of an allowed one is 0; else its receipt is given as -1 - receipt, and the wait
--          follows the last target of the request. For a request that failed:
--            -1, -1 (nothing was written) or -2 (something may have been), the error's message
-- Before   `algorithms`: by name, a function that makes the algorithm's module
--
-- Whatever can be done once a call, or once a run, is not done once a request: no calls of library
-- functions, a `pcall` for all requests up to the next one that fails, and as few tables as can be.

local keys, argv, call, format = KEYS, ARGV, redis.call, string.format

-- A string in arithmetic is read as a number once; by tonumber, twice.
local given = argv[1] + 0
local now = given
if given < 0 then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- Lets a key expire when its state no longer matters, in whole seconds with one to spare; what a rule
-- answered as the value of a key that is a plain string is written with it. A given clock may run
-- otherwise than the server's, by which keys expire: then it is kept for a day at least. With nothing
-- left to remember, the key goes at once.
local function keep(key, ttl, value)
  if ttl <= 0 then return call('DEL', key) end
  local seconds = (ttl + -ttl % 1000000) / 1000000 + 1
  if given >= 0 and seconds < 86400 then seconds = 86400 end
  local text = format('%d', seconds) -- to Redis 7.0 a number costs twice as much
  if value then
    call('SETEX', key, text, value)
  else
    call('EXPIRE', key, text)
  end
end

-- The requests of a run that are still to be decided, whose keys follow keys[before].
local left, before = 0, 0
-- What they have in common: whether rules are asked, whether costs are counted, and the targets.
local asks, counts, targets, width
-- Of the request that is being decided: whether it has begun to write.
local writing
local states = {}
local reply, size = {}, 0

local function decide_run()
  while left > 0 do
    writing = false
    local allowed, delays = true, nil
    for i = 1, width do
      local target, state = targets[i], { key = keys[before + i] }
      states[i] = state
      local own, remaining, wait, reset = true, 0, 0, 0
      if asks then
        own, remaining, wait, reset = target.check(state, now, target.cost, target.args)
      end
      local at = size + 3 * i
      if own then
        reply[at - 2], reply[at - 1], reply[at] = remaining, 0, reset
        if wait > 0 then
          delays = delays or {}
          delays[i] = wait
        end
      else
        reply[at - 2], reply[at - 1], reply[at] = -1 - remaining, wait, reset
        if not target.shadow then allowed = false end
      end
    end
    if allowed and counts then
      writing = true
      for i = 1, width do
        local at = size + 3 * i
        if reply[at - 2] >= 0 then
          local target, state = targets[i], states[i]
          local receipt, remaining, reset, ttl, value =
            target.count(state, now, target.cost, target.args, target.receipt)
          keep(state.key, ttl, value)
          reply[at - 2], reply[at - 1], reply[at] = remaining, receipt, reset
        end
      end
    end
    local first = size
    size = size + 3 * width
    if delays then
      for i = 1, width do
        if delays[i] then
          local at = first + 3 * i - 1
          reply[at] = -1 - reply[at]
          size = size + 1
          reply[size] = delays[i]
        end
      end
    end
    before = before + width
    left = left - 1
  end
end

local rules = {}
local at = 1
while at < #argv do
  local mode = argv[at + 2]
  left, width = argv[at + 1] + 0, argv[at + 3] + 0
  asks, counts = mode == 'look' or mode == 'consume', mode ~= 'look'
  targets = {}
  at = at + 3
  for i = 1, width do
    local name = argv[at + 1]
    local rule = rules[name] or algorithms[name]()
    rules[name] = rule
    local target = {
      check = rule.check,
      count = mode == 'giveBack' and rule.give_back or rule.record,
      cost = argv[at + 2] + 0,
      receipt = argv[at + 3] + 0,
      shadow = argv[at + 4] == '1',
      args = {},
    }
    at = at + 5
    for j = 1, argv[at] do
      at = at + 1
      target.args[j] = argv[at] + 0
    end
    targets[i] = target
  end
  while left > 0 do
    local done, failure = pcall(decide_run)
    if not done then
      for i = #reply, size + 1, -1 do
        reply[i] = nil
      end
      reply[size + 1], reply[size + 2] = -1, writing and -2 or -1
      reply[size + 3] = type(failure) == 'table' and failure.err or tostring(failure)
      size = size + 3
      before = before + width
      left = left - 1
    end
  end
end
return reply
