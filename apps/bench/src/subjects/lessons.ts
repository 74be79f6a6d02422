import type { Driver, Subject } from '../subject.js'
import { wallClockMs } from '../wall-clock.js'
import { rawSubject } from './raw.js'

export const lessonFixed = 'lesson, fixed (INCR, EXPIRE)'
export const lessonSliding = 'lesson, sliding (ZREMRANGEBYSCORE, ZCARD, ZADD, PEXPIRE)'

const fixedScript = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
if count > tonumber(ARGV[1]) then return 0 end
return 1
`

const slidingScript = `
local now = tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2]))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`

/**
 * The scripts that tutorials teach, called directly. They answer yes or no and nothing else, and
 * the sliding one trusts the clock of whoever asks.
 */
export function lessons(driver: Driver): readonly Subject[] {
  let requests = 0
  return [
    rawSubject(driver, {
      name: lessonFixed,
      group: 'lesson',
      script: fixedScript,
      args: ({ limit, windowMs }) => [String(limit), String(windowMs / 1000)],
      allows: isOne,
    }),
    rawSubject(driver, {
      name: lessonSliding,
      group: 'lesson',
      script: slidingScript,
      args: ({ limit, windowMs }) => {
        const nowMs = wallClockMs()
        requests += 1
        return [String(limit), String(windowMs), String(nowMs), `${nowMs}:${requests}`]
      },
      allows: isOne,
    }),
  ]
}

function isOne(answer: unknown): boolean {
  return answer === 1
}
