/**
 * What an algorithm remembers of one key: integers whose meaning only the algorithm knows.
 *
 * `[]` is a key never seen. `record` and `giveBack` change it in place, since copying a log of
 * 10,000 entries on every request would cost more than deciding it. To a store it is opaque.
 */
export type State = number[]

/**
 * The integers of one policy, in the order in which both twins of its algorithm read them.
 * Times are whole microseconds.
 */
export type Args = readonly number[]

/** What `check` answers: the present, before any cost is counted. */
export interface Verdict {
  readonly allowed: boolean
  /** Whole units left now, from 0 to the policy's capacity. */
  readonly remaining: number
  /**
   * Microseconds until this caller may go ahead. Denied: until the same cost is allowed.
   * Allowed: 0, or the delay of a rule that spaces requests out.
   */
  readonly wait: number
  /** Microseconds until spent quota returns; each algorithm says which part of it. */
  readonly reset: number
}

/** What `record` and `giveBack` answer: the moment after they changed the state. */
export interface Recorded {
  /** An integer by which this cost, or what is left of it, can be given back. */
  readonly receipt: number
  /** Whole units left now, from 0 to the policy's capacity. */
  readonly remaining: number
  /** Microseconds until spent quota returns, as in {@link Verdict.reset}. */
  readonly reset: number
  /**
   * Microseconds after which the state no longer matters, so that a store may forget it.
   * 0: there is nothing to remember.
   */
  readonly ttl: number
}

/**
 * One rule of rate limiting, written twice: here in TypeScript, for stores that load and save
 * states, and in {@link Algorithm.lua | Lua}, for Redis. The two are twins: same names, same
 * arguments, same branches, equal answers.
 *
 * All times are whole microseconds since 1970 and below 2^53, so every number is exact in both
 * languages. `cost` is a positive integer that never exceeds the policy's capacity, except in a
 * charge. `now` may step back: a rule then holds its breath (it admits nothing extra) for at most
 * as long as the step, and reads a state from further ahead than it can explain as empty.
 */
export interface Algorithm {
  /**
   * Names the rule and its stored format, and is part of every key: letters, digits, `_`, `.`
   * and `-`. A new format needs a new name.
   */
  readonly name: string
  /** The version of this contract, so that packages that do not fit together fail clearly. */
  readonly contract: 1
  /**
   * A Lua 5.1 module returning `{ check, record, give_back }`. Its functions take what the
   * TypeScript ones take and return the same values in the order of {@link Verdict} and
   * {@link Recorded}; `state` is a table with the Redis `key`, in which `check` may leave for
   * `record` what it has read. They touch no other key, and leave the key's TTL to the store. Where
   * the key is a plain string, `record` and `give_back` may leave its writing to the store as well,
   * and answer with its new value in the fifth place: that saves Redis a command.
   */
  readonly lua: string
  /** Judges the moment before the cost. Changes nothing. */
  check(state: Readonly<State>, now: number, cost: number, args: Args): Verdict
  /**
   * Counts the cost, whatever `check` would say of it: debt is capped at one capacity, so that a
   * key never holds more than two.
   */
  record(state: State, now: number, cost: number, args: Args): Recorded
  /**
   * Gives back what is still counted of `cost` units of the request with this receipt. Answers
   * with the receipt of the rest of them.
   */
  giveBack(state: State, now: number, cost: number, args: Args, receipt: number): Recorded
}
