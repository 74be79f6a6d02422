import {
  type Caller,
  type Clock,
  invalid,
  type Request,
  type Ruling,
  SpillwayError,
  type Store,
} from '@spillway/core'
import type { RedisDriver } from './driver.js'
import { callFailed, isNoScript, mayConcernOne, unavailable } from './failure.js'
import { scriptBook } from './script.js'
import { decode, encode } from './wire.js'

/** How a store on Redis is made. */
export interface RedisStoreOptions {
  /**
   * Decides by this clock instead of the server's: for tests, and for a hosted Redis that refuses
   * the TIME command. Keys are then kept for a day at least, since the server expires them by its
   * own. Default: the server's time.
   */
  readonly clock?: Clock
}

/** Requests in one call. One call at a time would leave client and server waiting for each other. */
const callSize = 32

interface Pending {
  readonly request: Request
  readonly caller: Caller | undefined
  resolve(ruling: Ruling): void
  reject(error: SpillwayError): void
}

/**
 * A store on Redis over any driver.
 *
 * What is asked in the same turn of the event loop travels together, in calls of up to 32 requests.
 * No timer is set and no call waits for another one's answer.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export function redisStore(driver: RedisDriver, options: RedisStoreOptions = {}): Store {
  const { clock } = options
  if (clock !== undefined && typeof clock !== 'function') {
    throw invalid('clock', 'must be a function', clock)
  }
  const book = scriptBook()
  let waiting: Pending[] = []

  return {
    // Not async: what it throws rejects all the same, and nobody awaits a promise of a promise.
    decide(request, caller) {
      return new Promise((resolve, reject) => {
        for (const { policy } of request.targets) book.add(policy.algorithm)
        if (driver.clustered) requireOneSlot(request)
        waiting.push({ request, caller, resolve, reject })
        if (waiting.length === 1) setImmediate(flush)
        else if (waiting.length === callSize) flush()
      })
    },
    async forget(keys) {
      flush()
      if (!driver.ready()) {
        await driver.opened().catch((cause: unknown) => {
          throw notConnected(cause)
        })
      }
      const calls = driver.clustered ? keys.map((key) => [key]) : [[...keys]]
      await Promise.all(calls.map((some) => driver.del(some))).catch((cause: unknown) => {
        throw callFailed(driver, cause)
      })
    },
  }

  function flush(): void {
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    if (driver.ready()) dispatch(batch)
    else {
      driver.opened().then(
        () => dispatch(batch),
        (cause: unknown) => rejectAll(batch, () => notConnected(cause)),
      )
    }
  }

  function dispatch(batch: readonly Pending[]): void {
    const asked = batch.some(hasGone) ? batch.filter(isStillAsked) : batch
    if (asked.length === 0) return
    if (!driver.clustered) void send(asked)
    else for (const group of bySlot(asked)) void send(group)
  }

  async function send(batch: readonly Pending[]): Promise<void> {
    try {
      const answers = await call(batch.map(({ request }) => request))
      batch.forEach(({ resolve, reject }, i) => {
        const answer = answers[i]!
        if (answer instanceof SpillwayError) reject(answer)
        else resolve(answer)
      })
    } catch (error) {
      if (error instanceof SpillwayError) rejectAll(batch, () => error)
      else if (batch.length > 1 && mayConcernOne(error)) for (const one of batch) void send([one])
      else rejectAll(batch, () => callFailed(driver, error))
    }
  }

  async function call(requests: readonly Request[]): Promise<(Ruling | SpillwayError)[]> {
    const { script } = book
    const { keys, args } = encode(requests, clock === undefined ? 0 : timeOf(clock))
    const reply = await driver.evalsha(script.sha, keys, args).catch((error: unknown) => {
      if (isNoScript(error)) return driver.eval(script.text, keys, args)
      throw error
    })
    return decode(reply, requests)
  }

  function notConnected(cause: unknown): SpillwayError {
    return unavailable(`${driver.name} is not connected`, cause)
  }
}

function hasGone({ caller }: Pending): boolean {
  return caller?.gone === true
}

/** Whether somebody waits for it; where nobody does, it is over. */
function isStillAsked(pending: Pending): boolean {
  if (!hasGone(pending)) return true
  pending.reject(unavailable('the request was not sent', new Error('its caller has gone')))
  return false
}

function rejectAll(batch: readonly Pending[], error: () => SpillwayError): void {
  for (const { reject } of batch) reject(error())
}

function timeOf(clock: Clock): number {
  let now: number
  try {
    now = clock()
  } catch (cause) {
    throw unavailable('the clock failed', cause)
  }
  if (Number.isSafeInteger(now) && now > 0) return now
  throw invalid('clock', 'must return whole microseconds since 1970', now)
}

/** The part of a key by which a Cluster finds its slot: what stands between the first braces. */
function slotTag(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close)
}

function requireOneSlot({ targets }: Request): void {
  const [first, ...others] = targets.map(({ key }) => slotTag(key))
  if (others.every((tag) => tag === first)) return
  throw new SpillwayError(
    'INVALID_ARGUMENT',
    'the keys of one request must share a slot of the Redis Cluster: ' +
      'name the policy whose key carries it with slotBy',
  )
}

function bySlot(batch: readonly Pending[]): Iterable<readonly Pending[]> {
  const groups = new Map<string, Pending[]>()
  for (const pending of batch) {
    const tag = slotTag(pending.request.targets[0]!.key)
    const group = groups.get(tag)
    if (group === undefined) groups.set(tag, [pending])
    else group.push(pending)
  }
  return groups.values()
}
