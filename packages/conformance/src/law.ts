import type { Subject } from './subject.js'

/** One law of the design as a case: data for any test runner. */
export interface Law {
  /** Its number in the design. */
  readonly number: number
  /** The law in words, fit to name a test. */
  readonly name: string
  /**
   * What a store under test must have for it: without, it cannot be checked, and to try throws.
   * List the others: `laws.filter(({ needs }) => needs === undefined || needs in subject.store)`.
   */
  readonly needs?: 'inspect' | 'bounded'
  /**
   * Checks it on a subject.
   *
   * @throws Error that tells the history which breaks the law, and how to replay it
   */
  check(subject: Subject, replay?: Replay): Promise<void>
}

/** Repeats one failing history: copied from the message of the failure. */
export interface Replay {
  readonly seed: number
  readonly path: string
  /** The index of the policy in `subject.policies`. */
  readonly policy: number
}
