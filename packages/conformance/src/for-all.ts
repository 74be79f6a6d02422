import { type Policy, systemClock } from '@spillway/core'
import * as fc from 'fast-check'
import { caseLines } from './case-lines.js'
import type { Law } from './law.js'
import type { Subject } from './subject.js'

/** What a law is called, and how many histories it tries. */
export interface LawHead {
  readonly number: number
  readonly name: string
  /** As a share of the store's runs. Default 1. */
  readonly share?: number
  readonly needs?: Law['needs']
}

/**
 * Makes a law that holds for all drawn values, on each policy of the subject.
 *
 * @param draw what is tried on one policy
 * @param check tries one; throws what the law demands of it in vain
 */
export function forAll<T>(
  { number, name, share = 1, needs }: LawHead,
  draw: (policy: Policy, policies: readonly Policy[]) => fc.Arbitrary<T>,
  check: (value: T, policy: Policy, subject: Subject) => Promise<void>,
): Law {
  return {
    number,
    name,
    ...(needs && { needs }),
    async check(subject, replay) {
      const { store, policies } = subject
      if (needs !== undefined && store[needs] === undefined) {
        throw new Error(
          `Law ${number} cannot be checked on ${store.name}, which has no ${needs}: ${name}`,
        )
      }
      const numRuns = Math.max(1, Math.ceil((store.runs ?? 100) * share))
      const { seed, shrinkMs = 3000 } = store
      const property = (values: fc.Arbitrary<T>, policy: Policy) =>
        fc.asyncProperty(
          values,
          shrinkingFor(shrinkMs, (value) => check(value, policy, subject)),
        )
      for (const [index, policy] of policies.entries()) {
        if (replay !== undefined && replay.policy !== index) continue
        const draws = replay
          ? { seed: replay.seed, path: replay.path }
          : seed !== undefined && { seed: seed + index }
        const result = await fc.check(property(draw(policy, policies), policy), {
          numRuns,
          endOnFailure: shrinkMs === 0,
          ...draws,
        })
        if (result.failed) throw broken({ number, name }, subject, index, result)
      }
    },
  }
}

/**
 * Looks for a smaller failing value only for so long after the first one: where each step is a
 * round trip, the smallest may take minutes to find.
 */
function shrinkingFor<T>(
  ms: number,
  check: (value: T) => Promise<void>,
): (value: T) => Promise<void> {
  let end: number | undefined
  return async (value) => {
    if (end !== undefined && systemClock() >= end) return
    try {
      await check(value)
    } catch (error) {
      end ??= systemClock() + ms * 1000
      throw error
    }
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
  const isDemand = errorInstance instanceof Error && errorInstance.name === 'Demand'
  const [first, ...more] = caseLines(counterexample?.[0])
  const error = new Error(
    [
      `Law ${law.number} is broken: ${law.name}`,
      isDemand
        ? `  It demands that ${errorInstance.message}`
        : `  It could not be checked: ${errorInstance}`,
      `  Policy   ${algorithm.name}, limit ${limit} per ${windowMs} ms, capacity ${capacity}`,
      `  Store    ${store.name}`,
      `  Case     ${first}`,
      ...more.map((line) => `           ${line}`),
      `  Replay   law.check(subject, ${JSON.stringify({ seed, path, policy: index })})`,
    ].join('\n'),
    isDemand ? {} : { cause: errorInstance },
  )
  // Where in this kit a demand was stated says nothing of the rule that does not meet it.
  if (isDemand) error.stack = `${error.name}: ${error.message}`
  return error
}
