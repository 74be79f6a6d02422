import type { Policy } from './policy.js'
import { positiveInteger } from './positive-integer.js'
import { requireStore } from './require-store.js'
import type { Caller, Request, Ruling, Store, Target } from './store.js'
import { monotonicMs } from './timers.js'

/** How a {@link denyCache} is made. */
export interface DenyCacheOptions {
  /** The most denials it remembers; the oldest goes first. Default 10,000. */
  readonly maxKeys?: number | undefined
  /**
   * For how long it may miss what other processes give back, in milliseconds. Default 1,000.
   */
  readonly maxAgeMs?: number | undefined
}

/** A question to the store; kept if the answer is a denial, until that ends or something changes. */
interface Question {
  readonly targets: readonly Target[]
  /** When it was sent, on a monotonic clock; the wait counts from there. */
  readonly askedMs: number
  /** Set once it was denied, with the time until which that holds. */
  denied?: { readonly ruling: Ruling; readonly untilMs: number }
}

/** What is being asked of a key, or was asked and denied: all of it under the same policy. */
interface Watch {
  readonly policy: Policy
  readonly questions: Set<Question>
}

/**
 * Refuses a denied caller in this process, without asking the store, until the moment at which the
 * same request could be allowed. Such decisions carry the source `cache`.
 *
 * It answers only the very request that was denied: same keys, same costs, same policies, since a
 * denied cost of 5 says nothing about a cost of 1. A refund, a reset or another policy in this
 * process counts at once, those of another process within `maxAgeMs`. What is left, and what else
 * a decision says of its policies, stands as it was when the store answered.
 *
 * A timeout belongs outside, `withTimeout(denyCache(redis), 50)`: what it gives back when an answer
 * comes too late must pass the cache.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or something that is no store
 */
export function denyCache(store: Store, options: DenyCacheOptions = {}): Store {
  requireStore('store', store)
  const maxKeys = positiveInteger('maxKeys', options.maxKeys ?? 10_000)
  const maxAgeMs = positiveInteger('maxAgeMs', options.maxAgeMs ?? 1000)
  /** Denied questions, by the key of the first target. */
  const denials = new Map<string, Question>()
  /** By each key, so that whatever may lift a denial finds it, and the answers still to come. */
  const watches = new Map<string, Watch>()

  function watch(question: Question): void {
    for (const { key, policy } of question.targets) {
      const known = watches.get(key)
      if (known !== undefined) known.questions.add(question)
      else watches.set(key, { policy, questions: new Set([question]) })
    }
  }

  function drop(question: Question): void {
    for (const { key } of question.targets) {
      const known = watches.get(key)
      if (known?.questions.delete(question) && known.questions.size === 0) watches.delete(key)
    }
    const { key } = question.targets[0]!
    if (denials.get(key) === question) denials.delete(key)
  }

  /** Whether nothing has happened since that may make its answer untrue. */
  function isWatched(question: Question): boolean {
    return watches.get(question.targets[0]!.key)?.questions.has(question) === true
  }

  /** Drops what is known of a key, unless `policy` is all that has been applied to it. */
  function change(key: string, policy?: Policy): void {
    const known = watches.get(key)
    if (known === undefined || known.policy === policy) return
    for (const question of known.questions) drop(question)
  }

  /** A refund lifts denials, and so may a count by another policy, which reads states its own way. */
  function changeBy({ mode, targets }: Request): void {
    for (const { key, policy } of targets) change(key, mode === 'giveBack' ? undefined : policy)
  }

  function remember(question: Question, ruling: Ruling): void {
    const waits = ruling.targets.map(({ allowed, wait }, i) =>
      allowed || question.targets[i]!.shadow ? 0 : wait / 1000,
    )
    // A store's clock may tick in milliseconds, so its wait counts from up to one before it was asked.
    const untilMs = question.askedMs + Math.min(Math.max(...waits) - 1, maxAgeMs)
    question.denied = { ruling, untilMs }
    const { key } = question.targets[0]!
    const older = denials.get(key)
    if (older !== undefined) drop(older)
    for (const oldest of denials.values()) {
      if (denials.size < maxKeys) break
      drop(oldest)
    }
    denials.set(key, question)
  }

  function known(targets: readonly Target[]): Ruling | undefined {
    const question = denials.get(targets[0]!.key)
    if (question === undefined || !isSame(question.targets, targets)) return undefined
    const { ruling, untilMs } = question.denied!
    const now = monotonicMs()
    if (now < untilMs) return aged(ruling, now - question.askedMs)
    drop(question)
    return undefined
  }

  async function ask(request: Request, caller: Caller | undefined): Promise<Ruling> {
    const { mode, targets } = request
    const question: Question = { targets, askedMs: monotonicMs() }
    changeBy(request)
    if (mode === 'consume') watch(question)
    try {
      const ruling = await store.decide(request, caller)
      const isDenied = !ruling.allowed && ruling.source === 'store'
      if (isDenied && isWatched(question)) remember(question, ruling)
      return ruling
    } finally {
      changeBy(request)
      if (question.denied === undefined) drop(question)
    }
  }

  return {
    decide(request, caller) {
      const { mode, targets } = request
      if (mode === 'look') return store.decide(request, caller)
      return (mode === 'consume' ? known(targets) : undefined) ?? ask(request, caller)
    },
    async forget(keys) {
      for (const key of keys) change(key)
      try {
        await store.forget(keys)
      } finally {
        for (const key of keys) change(key)
      }
    },
  }
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
function aged(ruling: Ruling, elapsedMs: number): Ruling {
  const elapsed = Math.floor(elapsedMs * 1000)
  const targets = ruling.targets.map(({ allowed, remaining, wait, reset, receipt }) => ({
    allowed,
    remaining,
    wait: allowed ? wait : Math.max(1, wait - elapsed),
    reset: Math.max(0, reset - elapsed),
    receipt,
  }))
  return { allowed: false, targets, source: 'cache' }
}
