import type { Driver, Subject } from '../subject.js'
import { rawSubject } from './raw.js'

export const incr = 'INCR'
export const noOp = 'EVALSHA of an empty script'
const bareGcra = 'EVALSHA of a bare GCRA script'

/** As little as decides by GCRA, and by the server's time, for a rate that divides evenly. */
const gcraScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local unit, burst = ARGV[1] + 0, ARGV[2] + 0
local free = redis.call('GET', KEYS[1])
local used = free and math.max(0, free - now) or 0
local left = burst * unit - used
if left < unit then return { -1 - math.floor(left / unit), unit - left, used } end
used = used + unit
redis.call('SETEX', KEYS[1], math.ceil(used / 1000000) + 1, now + used)
return { math.floor((left - unit) / unit), 0, used }
`

/** What a request to Redis costs at least; and a decision, without a library. */
export function floors(driver: Driver): readonly Subject[] {
  return [
    rawSubject(driver, { name: incr, group: 'floor', allows: undecided }),
    rawSubject(driver, { name: noOp, group: 'floor', script: 'return 1', allows: undecided }),
    rawSubject(driver, {
      name: bareGcra,
      group: 'floor',
      script: gcraScript,
      args: ({ limit, windowMs }) => [String((windowMs * 1000) / limit), String(limit)],
      allows: (answer) => (answer as readonly number[])[0]! >= 0,
    }),
  ]
}

function undecided(): undefined {}
