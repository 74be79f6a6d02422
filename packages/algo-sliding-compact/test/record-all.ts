import type { Policy } from '@spillway/core'
import type { Redis } from 'ioredis'

/** Lets the Lua of a policy count many requests of one key, each at its time and of its cost, in one call. */
export async function recordAll(
  client: Redis,
  policy: Policy,
  key: string,
  requests: readonly (readonly [at: number, cost: number])[],
): Promise<void> {
  const script = `
    local rule = (function() ${policy.algorithm.lua} end)()
    local args = { tonumber(ARGV[1]), tonumber(ARGV[2]) }
    for i = 3, #ARGV, 2 do
      rule.record({ key = KEYS[1] }, tonumber(ARGV[i]), tonumber(ARGV[i + 1]), args)
    end`
  await client.eval(script, 1, key, ...policy.args, ...requests.flat())
}
