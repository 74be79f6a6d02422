import type { RuleName } from './policies-of.js'

/** One fault, put into the real source. */
export interface Mutant {
  /** What is broken, in words. */
  readonly name: string
  /** The file it is put into, from the folder of packages on. */
  readonly file: string
  /** What stands there: exactly once, or the mutant has rotted and its test fails. */
  readonly find: string
  /** What stands there instead. */
  readonly replace: string
  /** The rules it is tried with. */
  readonly rules: RuleName
  /** The store it is tried on. */
  readonly on: StoreName
  /** The number of the law that catches it. */
  readonly law: number
}

/** The stores that mutants are tried on: memory, or a real Redis with each driver. */
export type StoreName = 'memory' | 'ioredis' | 'node-redis' | 'ioredis, Cluster'

/** What all mutants of a list have in common. */
export type MutantBase = Pick<Mutant, 'file' | 'rules' | 'on'>

/** A mutant without what its list has in common. */
export type MutantChange = Omit<Mutant, keyof MutantBase> & Partial<MutantBase>

/** Makes a list of mutants of one place. */
export function mutantsOf(base: MutantBase, changes: readonly MutantChange[]): readonly Mutant[] {
  return changes.map((change) => ({ ...base, ...change }))
}
