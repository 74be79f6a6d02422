import { positiveInteger } from './positive-integer.js'
import type { Caller, Request, Ruling, Store, Target } from './store.js'
import { monotonicMs } from './timers.js'

/** How a {@link denyCache} is made. */
export interface DenyCacheOptions {
  /** The most denials it remembers; the oldest goes first. Default 10,000. */
  readonly maxKeys?: number
  /**
   * For how long it may miss what other processes give back, in milliseconds. Default 1,000.
   */
  readonly maxAgeMs?: number
}

/** A denial, as it was answered. */
interface Denial {
  readonly targets: readonly Target[]
  readonly ruling: Ruling
  /** When the question was sent, on a monotonic clock; the wait counts from there. */
  readonly askedMs: number
  readonly untilMs: number
  /** The latest change of counts this process had made by then. */
  readonly change: number
}

/**
 * Refuses a denied caller in this process, without asking the store, until the moment at which the
 * same request could be allowed. Such decisions carry the source `cache`.
 *
 * It answers only the very request that was denied: same keys, same costs, same policies, since a
 * denied cost of 5 says nothing about a cost of 1. A refund or reset of this process counts at
 * once, one of another process within `maxAgeMs`. What is left, and what else a decision says of
 * its policies, stands as it was when the store answered.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export function denyCache(store: Store, options: DenyCacheOptions = {}): Store {
  const maxKeys = positiveInteger('maxKeys', options.maxKeys ?? 10_000)
  const maxAgeMs = positiveInteger('maxAgeMs', options.maxAgeMs ?? 1000)
  /** By the key of the first target. */
  const denials = new Map<string, Denial>()
  /** The latest refund or reset of each key; one under way counts as later than any question. */
  const changes = new Map<string, number>()
  const underWay = new Map<string, number>()
  let lastChange = 0
  /** Changes up to here are no longer known by key: what was asked before is not cached. */
  let forgottenChanges = 0

  function isCurrent(targets: readonly Target[], change: number): boolean {
    if (change < forgottenChanges) return false
    if (changes.size === 0 && underWay.size === 0) return true
    return targets.every(({ key }) => !underWay.has(key) && (changes.get(key) ?? 0) <= change)
  }

  async function ask(request: Request, caller: Caller | undefined): Promise<Ruling> {
    const askedMs = monotonicMs()
    const change = lastChange
    const ruling = await store.decide(request, caller)
    if (!ruling.allowed && ruling.source === 'store' && isCurrent(request.targets, change)) {
      const wait = Math.max(
        ...ruling.targets.map((own, i) =>
          own.allowed || request.targets[i]!.shadow ? 0 : own.wait / 1000,
        ),
      )
      const untilMs = askedMs + Math.min(wait, maxAgeMs)
      remember({ targets: request.targets, ruling, askedMs, untilMs, change })
    }
    return ruling
  }

  function remember(denial: Denial): void {
    const { key } = denial.targets[0]!
    denials.delete(key)
    for (const oldest of denials.keys()) {
      if (denials.size < maxKeys) break
      denials.delete(oldest)
    }
    denials.set(key, denial)
  }

  async function change<T>(keys: readonly string[], make: () => Promise<T>): Promise<T> {
    note(keys, 1)
    try {
      return await make()
    } finally {
      note(keys, -1)
    }
  }

  function note(keys: readonly string[], under: 1 | -1): void {
    lastChange += 1
    if (changes.size + keys.length > maxKeys) {
      changes.clear()
      denials.clear()
      forgottenChanges = lastChange
    }
    for (const key of keys) {
      changes.set(key, lastChange)
      const count = (underWay.get(key) ?? 0) + under
      if (count > 0) underWay.set(key, count)
      else underWay.delete(key)
    }
  }

  return {
    async decide(request, caller) {
      const { mode, targets } = request
      if (mode === 'giveBack') {
        return change(targets.map(keyOf), () => store.decide(request, caller))
      }
      if (mode !== 'consume') return store.decide(request, caller)
      const denial = denials.get(targets[0]!.key)
      if (denial !== undefined && isSame(denial.targets, targets)) {
        const now = monotonicMs()
        if (now < denial.untilMs && isCurrent(targets, denial.change)) return aged(denial, now)
      }
      return ask(request, caller)
    },
    forget: (keys) => change(keys, () => store.forget(keys)),
  }
}

function keyOf({ key }: Target): string {
  return key
}

function isSame(known: readonly Target[], asked: readonly Target[]): boolean {
  if (known.length !== asked.length) return false
  for (let i = 0; i < known.length; i++) {
    const [a, b] = [known[i]!, asked[i]!]
    if (a.key !== b.key || a.policy !== b.policy) return false
    if (a.cost !== b.cost || a.shadow !== b.shadow) return false
  }
  return true
}

/** The ruling of a denial, some time after it was asked for. */
function aged({ ruling, askedMs }: Denial, nowMs: number): Ruling {
  const elapsed = Math.floor((nowMs - askedMs) * 1000)
  const targets = ruling.targets.map((own) => ({
    ...own,
    wait: own.allowed ? own.wait : Math.max(1, own.wait - elapsed),
    reset: Math.max(0, own.reset - elapsed),
  }))
  return { allowed: false, targets, source: 'cache' }
}
