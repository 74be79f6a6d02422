import type { Algorithm, Policy } from '@spillway/core'

const lua = `
local function check(state, now, cost, args)
  state.count = tonumber(redis.call('GET', state.key) or 0)
  local left = math.max(0, args[1] - state.count)
  local allowed = cost <= left
  return allowed, left, allowed and 0 or args[2], args[2]
end

local function record(state, now, cost, args)
  local count = redis.call('INCRBY', state.key, cost)
  return count, math.max(0, args[1] - count), args[2], args[2]
end

local function give_back(state, now, cost, args, receipt)
  local count = redis.call('DECRBY', state.key, cost)
  return receipt, math.max(0, args[1] - count), args[2], args[2]
end

return { check = check, record = record, give_back = give_back }
`

interface CounterOptions {
  readonly limit?: number
  /** For how long a key is kept after its last use, in microseconds. */
  readonly ttlUs?: number
  readonly name?: string
  readonly lua?: string
}

/** A rule as small as can be: counts up to the limit while the key lives. What is tested here knows no algorithm. */
export function counter(options: CounterOptions = {}): Policy {
  const { limit = 1_000_000, ttlUs = 60_000_000, name = 'counter' } = options
  const algorithm: Algorithm = {
    name,
    contract: 1,
    lua: options.lua ?? lua,
    check: onlyLua,
    record: onlyLua,
    giveBack: onlyLua,
  }
  return {
    algorithm,
    args: [limit, ttlUs],
    limit,
    windowMs: Math.ceil(ttlUs / 1000),
    capacity: limit,
    most: () => limit,
    exact: false,
  }
}

/** A counter that fails after it has counted. */
export const brokenCounter: Policy = counter({
  name: 'broken-counter',
  lua: lua.replace(
    "redis.call('INCRBY', state.key, cost)",
    "redis.call('INCRBY', state.key, cost) + nil",
  ),
})

function onlyLua(): never {
  throw new Error('this rule is only for Redis')
}
