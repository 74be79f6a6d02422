import { type Request, type Ruling, SpillwayError, type TargetRuling } from '@spillway/core'
import { refusesWrites, unavailable } from './failure.js'

/** Requests as the kernel reads them: see its header. */
export function encode(
  requests: readonly Request[],
  now: number,
): { readonly keys: string[]; readonly args: string[] } {
  const keys: string[] = []
  const args = [String(now)]
  for (let first = 0; first < requests.length; ) {
    const request = requests[first]!
    let end = first + 1
    while (end < requests.length && isAlike(request, requests[end]!)) end++
    args.push(String(end - first), request.mode, String(request.targets.length))
    for (const { policy, cost, receipt = 0, shadow = false } of request.targets) {
      args.push(policy.algorithm.name, String(cost), String(receipt), shadow ? '1' : '0')
      args.push(String(policy.args.length))
      for (const arg of policy.args) args.push(String(arg))
    }
    for (; first < end; first++) {
      for (const { key } of requests[first]!.targets) keys.push(key)
    }
  }
  return { keys, args }
}

/** Whether two requests differ in nothing but their keys. */
function isAlike(one: Request, other: Request): boolean {
  if (one.mode !== other.mode || one.targets.length !== other.targets.length) return false
  for (let i = 0; i < one.targets.length; i++) {
    const a = one.targets[i]!
    const b = other.targets[i]!
    if (a.policy !== b.policy || a.cost !== b.cost) return false
    if (a.receipt !== b.receipt || a.shadow !== b.shadow) return false
  }
  return true
}

/**
 * The answers in a reply of the kernel, one for each request: a ruling, or the error of a request
 * that failed.
 *
 * @throws SpillwayError `STORE_INDETERMINATE` for a reply that is not what the kernel would say
 */
export function decode(reply: unknown, requests: readonly Request[]): (Ruling | SpillwayError)[] {
  if (!Array.isArray(reply)) throw malformed('it is not a list')
  const items: readonly unknown[] = reply
  let at = 0
  const answers: (Ruling | SpillwayError)[] = []
  for (const { targets } of requests) {
    if (integer(items[at], Number.MIN_SAFE_INTEGER) === -1 && isNegative(items[at + 1])) {
      answers.push(requestFailed(integer(items[at + 1], -2), items[at + 2]))
      at += 3
      continue
    }
    let allowed = true
    const rulings: TargetRuling[] = []
    const delayed: number[] = []
    for (let i = 0; i < targets.length; i++) {
      const { policy, shadow } = targets[i]!
      const left = integer(items[at], -1 - policy.capacity, policy.capacity)
      const reset = integer(items[at + 2], 0)
      if (left < 0) {
        const wait = integer(items[at + 1], 0)
        rulings.push({ allowed: false, remaining: -1 - left, wait, reset, receipt: 0 })
        if (!shadow) allowed = false
      } else {
        const value = integer(items[at + 1], Number.MIN_SAFE_INTEGER)
        const receipt = value < 0 ? -1 - value : value
        if (value < 0) delayed.push(i)
        rulings.push({ allowed: true, remaining: left, wait: 0, reset, receipt })
      }
      at += 3
    }
    for (const i of delayed) rulings[i] = { ...rulings[i]!, wait: integer(items[at++], 1) }
    answers.push({ allowed, targets: rulings, source: 'store' })
  }
  if (at !== items.length) throw malformed(`it has ${items.length} items instead of ${at}`)
  return answers
}

function requestFailed(status: number, message: unknown): SpillwayError {
  const cause = new Error(String(message))
  return status === -1 || refusesWrites(cause)
    ? unavailable('Redis failed the request', cause)
    : new SpillwayError(
        'STORE_INDETERMINATE',
        `Redis failed the request while writing, so it may have been counted: ${cause.message}`,
        { cause },
      )
}

function isNegative(item: unknown): boolean {
  return integer(item, Number.MIN_SAFE_INTEGER) < 0
}

/** An integer from `least` to `most`; a client may be set to hand integers over as strings. */
function integer(item: unknown, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  const value = typeof item === 'number' ? item : asNumber(item)
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw malformed(`${String(item)} stands where an integer of at least ${least} should`)
  }
  return value
}

function asNumber(item: unknown): number {
  if (typeof item === 'bigint') return Number(item)
  const text = typeof item === 'string' || item instanceof Uint8Array ? String(item) : ''
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN
}

function malformed(why: string): SpillwayError {
  const cause = new Error(`malformed reply: ${why}`)
  return new SpillwayError(
    'STORE_INDETERMINATE',
    `Redis answered what the script cannot have said, so the request may have been counted: ${why}`,
    { cause },
  )
}
