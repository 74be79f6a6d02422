import type { Policy } from '@spillway/core'
import * as fc from 'fast-check'
import type { Law } from './law.js'
import type { Subject } from './subject.js'

/** What a law is called, and how many histories it tries. */
export interface LawHead {
  readonly number: number
  readonly name: string
  /** As a share of the store's runs. Default 1. */
  readonly share?: number
}

/**
 * Makes a law that holds for all drawn values, on each policy of the subject.
 *
 * @param draw what is tried on one policy
 * @param check tries one; throws what the law demands of it in vain
 */
export function forAll<T>(
  { number, name, share = 1 }: LawHead,
  draw: (policy: Policy, policies: readonly Policy[]) => fc.Arbitrary<T>,
  check: (value: T, policy: Policy, subject: Subject) => Promise<void>,
): Law {
  return {
    number,
    name,
    async check(subject, replay) {
      const { store, policies } = subject
      const numRuns = Math.max(1, Math.ceil((store.runs ?? 100) * share))
      const again = replay && { seed: replay.seed, path: replay.path }
      for (const [index, policy] of policies.entries()) {
        if (replay !== undefined && replay.policy !== index) continue
        const property = fc.asyncProperty(draw(policy, policies), (value) =>
          check(value, policy, subject),
        )
        const result = await fc.check(property, { numRuns, ...again })
        if (result.failed) throw broken({ number, name }, subject, index, result)
      }
    },
  }
}

function broken<T>(
  law: LawHead,
  { store, policies }: Subject,
  index: number,
  failure: fc.RunDetails<[T]>,
): Error {
  const { counterexample, errorInstance, seed, counterexamplePath: path } = failure
  const { algorithm, limit, windowMs, capacity } = policies[index]!
  const demand = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return new Error(
    [
      `Law ${law.number} is broken: ${law.name}`,
      `  It demands that ${demand}`,
      `  Policy   ${algorithm.name}, limit ${limit} per ${windowMs} ms, capacity ${capacity}`,
      `  Store    ${store.name}`,
      `  Case     ${JSON.stringify(counterexample?.[0])}`,
      `  Replay   law.check(subject, ${JSON.stringify({ seed, path, policy: index })})`,
    ].join('\n'),
    { cause: errorInstance },
  )
}
