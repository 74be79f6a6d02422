import {
  type Caller,
  type Clock,
  invalid,
  positiveInteger,
  type Request,
  type Ruling,
  SpillwayError,
  type Store,
  timeOf,
} from '@spillway/core'
import { clusterTags } from './cluster-tags.js'
import type { RedisDriver } from './driver.js'
import { callFailed, isNoScript, mayConcernOne, unavailable } from './failure.js'
import { inTurns } from './in-turns.js'
import { scriptBook } from './script.js'
import { slotTag } from './slot.js'
import { decode, encode } from './wire.js'

/** How a store on Redis is made. */
export interface RedisStoreOptions {
  /**
   * Decides by this clock instead of the server's: for tests, and for a hosted Redis that refuses
   * the TIME command. Keys are then kept for a day at least, since the server expires them by its
   * own. Default: the server's time.
   */
  readonly clock?: Clock | undefined
  /**
   * For a Redis Cluster: keeps all keys under so many tags, from 1 to 1,024, whose slots are spread
   * evenly, since only keys of one slot can travel in one call. A few for each node: 12 for three.
   * It is part of the stored key, so changing it starts every count afresh. Default: every key has
   * a slot of its own.
   */
  readonly clusterTags?: number | undefined
}

/** Requests in one call. One call at a time would leave client and server waiting for each other. */
const callSize = 32

/** In the place of a time: the server's own. */
const serverTime = -1

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
  const { clock, clusterTags: tagCount } = options
  if (clock !== undefined && typeof clock !== 'function') {
    throw invalid('clock', 'must be a function', clock)
  }
  const tagged =
    tagCount === undefined ? undefined : clusterTags(positiveInteger('clusterTags', tagCount, 1024))
  const book = scriptBook()
  const turnFor = driver.sendsOnceATurn ? inTurns(callSize) : undefined
  /** What is to go out in this turn: by slot in a Cluster, else all of it together. */
  let waiting = new Map<string, Pending[]>()

  return {
    // Not async: what it throws rejects all the same, and nobody awaits a promise of a promise.
    decide(asked, caller) {
      return new Promise((resolve, reject) => {
        const request = tagged === undefined ? asked : withKeys(asked, tagged)
        for (const { policy } of request.targets) book.add(policy.algorithm)
        const slot = driver.clustered ? oneSlotOf(request) : ''
        const pending = { request, caller, resolve, reject }
        const batch = waiting.get(slot)
        if (batch === undefined) {
          if (waiting.size === 0) setImmediate(flush)
          waiting.set(slot, [pending])
        } else if (batch.push(pending) === callSize) {
          waiting.delete(slot)
          dispatch(batch)
        }
      })
    },
    forget(asked) {
      const keys = tagged === undefined ? asked : asked.map(tagged)
      flush()
      return new Promise((resolve, reject) => {
        whenReady(
          () => resolve(remove(keys)),
          (cause) => reject(notConnected(cause)),
        )
      })
    },
  }

  function flush(): void {
    const batches = waiting
    waiting = new Map()
    for (const batch of batches.values()) dispatch(batch)
  }

  function dispatch(batch: readonly Pending[]): void {
    whenReady(
      () => sendAsked(batch),
      (cause) => rejectAll(batch, () => notConnected(cause)),
    )
  }

  /** Goes on in the order in which it was called, be it now or when the client is connected. */
  function whenReady(go: () => void, fail: (cause: unknown) => void): void {
    if (driver.ready()) go()
    else driver.opened().then(go, fail)
  }

  function notConnected(cause: unknown): SpillwayError {
    return unavailable(`${driver.name} is not connected`, cause)
  }

  async function remove(keys: readonly string[]): Promise<void> {
    const calls = driver.clustered ? keys.map((key) => [key]) : [[...keys]]
    await Promise.all(calls.map((some) => driver.del(some))).catch((cause: unknown) => {
      throw callFailed(driver, cause)
    })
  }

  function sendAsked(batch: readonly Pending[]): void {
    const asked = batch.some(hasGone) ? batch.filter(isStillAsked) : batch
    if (asked.length > 0) void send(asked)
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
    const { keys, args } = encode(requests, clock === undefined ? serverTime : timeOf(clock))
    const reply = await driver.evalsha(script.sha, keys, args).catch((error: unknown) => {
      if (isNoScript(error)) return driver.eval(script.text, keys, args)
      throw error
    })
    const turn = turnFor?.(requests.length)
    if (turn !== undefined) await turn
    return decode(reply, requests)
  }
}

/** Whether nobody waits for it. What is given back goes out all the same: nobody would do it again. */
function hasGone({ caller, request }: Pending): boolean {
  return caller?.gone === true && request.mode !== 'giveBack'
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

/** The request under other keys. */
function withKeys(request: Request, keyOf: (key: string) => string): Request {
  const targets = request.targets.map((target) => ({ ...target, key: keyOf(target.key) }))
  return { ...request, targets }
}

/** What decides about the slot of a request, the same for all its keys. */
function oneSlotOf({ targets }: Request): string {
  const first = slotTag(targets[0]!.key)
  if (targets.every(({ key }) => slotTag(key) === first)) return first
  throw new SpillwayError(
    'INVALID_ARGUMENT',
    'the keys of one request must share a slot of the Redis Cluster: ' +
      'name the policy whose key carries it with slotBy',
  )
}
