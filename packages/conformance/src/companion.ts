import type { Algorithm, Policy } from '@spillway/core'

/**
 * A rule of the kit's own, to be decided together with the subject's: up to `limit` units until a
 * window after the first of them.
 */
export function companion(limit: number, windowMs: number): Policy {
  return {
    algorithm,
    args: [limit, windowMs * 1000],
    limit,
    windowMs,
    capacity: limit,
    most: (interval) => limit * Math.ceil(interval / (windowMs * 1000) + 1),
    exact: false,
  }
}

type CompanionArgs = readonly [limit: number, window: number]

const lua = `
local function read(state, now, window)
  local units, over = string.match(redis.call('GET', state.key) or '', '^(%d+):(%d+)$')
  units, over = tonumber(units or 0), tonumber(over or 0)
  if over > now and over <= now + window then return units, over end
  return 0, now + window
end

local function keep(state, now, units, over, limit)
  redis.call('SET', state.key, string.format('%.0f:%.0f', units, over))
  return math.max(0, limit - units), over - now, units > 0 and over - now or 0
end

local function check(state, now, cost, args)
  local units, over = read(state, now, args[2])
  local allowed = units + cost <= args[1]
  return allowed, math.max(0, args[1] - units), allowed and 0 or over - now, over - now
end

local function record(state, now, cost, args)
  local units, over = read(state, now, args[2])
  return over, keep(state, now, math.min(units + cost, 2 * args[1]), over, args[1])
end

local function give_back(state, now, cost, args, receipt)
  local units, over = read(state, now, args[2])
  local rest = over == receipt and math.max(0, units - cost) or units
  return receipt, keep(state, now, rest, over, args[1])
end

return { check = check, record = record, give_back = give_back }
`

// The state is [units, over]: what is counted, and when the window ends.
const algorithm: Algorithm = {
  name: 'laws-companion',
  contract: 1,
  lua,

  check(state, now, cost, [limit, window]: CompanionArgs) {
    const [units, over] = read(state, now, window)
    const allowed = units + cost <= limit
    const remaining = Math.max(0, limit - units)
    return { allowed, remaining, wait: allowed ? 0 : over - now, reset: over - now }
  },

  record(state, now, cost, [limit, window]: CompanionArgs) {
    const [units, over] = read(state, now, window)
    return { receipt: over, ...keep(state, now, Math.min(units + cost, 2 * limit), over, limit) }
  },

  giveBack(state, now, cost, [limit, window]: CompanionArgs, receipt) {
    const [units, over] = read(state, now, window)
    const rest = over === receipt ? Math.max(0, units - cost) : units
    return { receipt, ...keep(state, now, rest, over, limit) }
  },
}

function read([units = 0, over = 0]: readonly number[], now: number, window: number) {
  return over > now && over <= now + window
    ? ([units, over] as const)
    : ([0, now + window] as const)
}

function keep(state: number[], now: number, units: number, over: number, limit: number) {
  state[0] = units
  state[1] = over
  const reset = over - now
  return { remaining: Math.max(0, limit - units), reset, ttl: units > 0 ? reset : 0 }
}
