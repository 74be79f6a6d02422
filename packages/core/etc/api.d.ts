// index.d.ts

export type { Algorithm, Args, Recorded, State, Verdict } from './algorithm.js';
export { allowOnFailure, denyOnFailure } from './assume-on-failure.js';
export { type Clock, systemClock, timeOf } from './clock.js';
export { createLimiter, type LimiterOptions } from './create-limiter.js';
export type { Allowed, Decision, Denied, Look, Outcome, Quota, Reservation, Reserved, } from './decision.js';
export type { DecisionEvent } from './decision-event.js';
export { type DenyCacheOptions, denyCache } from './deny-cache.js';
export { type Duration, durationMs } from './duration.js';
export { type ExactRate, exactRate } from './exact-rate.js';
export { invalid } from './invalid.js';
export { type Judgement, judge } from './judge.js';
export type { AbortSignalLike, AcquireOptions, CallOptions, Cost, Key, Limiter, Refund, } from './limiter.js';
export { type MemoryStoreOptions, memoryStore } from './memory-store.js';
export { mostAtRate } from './most-at-rate.js';
export type { Policy } from './policy.js';
export { positiveInteger } from './positive-integer.js';
export type { Receipt } from './receipt.js';
export { shadow } from './shadow.js';
export { type ErrorCode, SpillwayError } from './spillway-error.js';
export type { Caller, Mode, Request, Ruling, Source, Store, Target, TargetRuling, } from './store.js';
export { withFallback } from './with-fallback.js';
export { withTimeout } from './with-timeout.js';

// algorithm.d.ts

/**
 * What an algorithm remembers of one key: integers whose meaning only the algorithm knows.
 *
 * `[]` is a key never seen. `record` and `giveBack` change it in place, since copying a log of
 * 10,000 entries on every request would cost more than deciding it. To a store it is opaque.
 */
export type State = number[];
/**
 * The integers of one policy, in the order in which both twins of its algorithm read them.
 * Times are whole microseconds.
 */
export type Args = readonly number[];
/** What `check` answers: the present, before any cost is counted. */
export interface Verdict {
    readonly allowed: boolean;
    /** Whole units left now, from 0 to the policy's capacity. */
    readonly remaining: number;
    /**
     * Microseconds until this caller may go ahead. Denied: until the same cost is allowed.
     * Allowed: 0, or the delay of a rule that spaces requests out.
     */
    readonly wait: number;
    /** Microseconds until spent quota returns; each algorithm says which part of it. */
    readonly reset: number;
}
/** What `record` and `giveBack` answer: the moment after they changed the state. */
export interface Recorded {
    /** An integer by which this cost, or what is left of it, can be given back. */
    readonly receipt: number;
    /** Whole units left now, from 0 to the policy's capacity. */
    readonly remaining: number;
    /** Microseconds until spent quota returns, as in {@link Verdict.reset}. */
    readonly reset: number;
    /**
     * Microseconds after which the state no longer matters, so that a store may forget it.
     * 0: there is nothing to remember.
     */
    readonly ttl: number;
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
    readonly name: string;
    /** The version of this contract, so that packages that do not fit together fail clearly. */
    readonly contract: 1;
    /**
     * A Lua 5.1 module returning `{ check, record, give_back }`. Its functions take what the
     * TypeScript ones take and return the same values in the order of {@link Verdict} and
     * {@link Recorded}; `state` is a table with the Redis `key`, in which `check` may leave for
     * `record` what it has read. They touch no other key, and leave the key's TTL to the store. Where
     * the key is a plain string, `record` and `give_back` may leave its writing to the store as well,
     * and answer with its new value in the fifth place: that saves Redis a command.
     */
    readonly lua: string;
    /** Judges the moment before the cost. Changes nothing. */
    check(state: Readonly<State>, now: number, cost: number, args: Args): Verdict;
    /**
     * Counts the cost, whatever `check` would say of it: debt is capped at one capacity, so that a
     * key never holds more than two.
     */
    record(state: State, now: number, cost: number, args: Args): Recorded;
    /**
     * Gives back what is still counted of `cost` units of the request with this receipt. Answers
     * with the receipt of the rest of them.
     */
    giveBack(state: State, now: number, cost: number, args: Args, receipt: number): Recorded;
}

// assume-on-failure.d.ts

import { type Duration } from './duration.js';
import type { Store } from './store.js';
/**
 * Lets everything through while the store fails: for limits that protect fairness rather than
 * safety. Such decisions carry the source `assumed`, and nothing is counted for them.
 *
 * Only questions are assumed (`consume`, `peek`): a refund or a charge that fails is an error.
 */
export declare function allowOnFailure(store: Store): Store;
/**
 * Denies everything while the store fails: for limits that protect safety. Such decisions carry
 * the source `assumed`.
 *
 * Only questions are assumed (`consume`, `peek`): a refund or a charge that fails is an error.
 *
 * @param retryAfter what a denied caller is told to wait. Default 1 s
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad duration
 */
export declare function denyOnFailure(store: Store, retryAfter?: Duration): Store;

// duration.d.ts

/**
 * A length of time: whole milliseconds, or a whole number with a unit, such as `'250ms'`,
 * `'10s'`, `'5m'`, `'1h'` or `'1d'`.
 */
export type Duration = number | `${bigint}${'ms' | 's' | 'm' | 'h' | 'd'}`;
/**
 * Returns a duration in milliseconds.
 *
 * @param option its name, for the message
 * @throws SpillwayError `INVALID_ARGUMENT` unless it is longer than 0 and at most 365 days
 */
export declare function durationMs(option: string, duration: Duration): number;

// store.d.ts

import type { Policy } from './policy.js';
/**
 * What a store does with a request:
 * - `look`: judge the present, write nothing
 * - `consume`: count the cost if every target allows it, else write nothing
 * - `charge`: count the cost whatever the targets say, for costs known only afterwards
 * - `giveBack`: give a counted cost back, by its receipt
 */
export type Mode = 'look' | 'consume' | 'charge' | 'giveBack';
/** One policy applied to one key. */
export interface Target {
    readonly policy: Policy;
    /** The whole stored key, unique among the targets of a request. */
    readonly key: string;
    /** Whole units, at least 1. */
    readonly cost: number;
    /** Decided, counted when allowed, and reported, but its denial denies nothing. */
    readonly shadow?: boolean;
    /** The receipt to give back by; only for `giveBack`. */
    readonly receipt?: number;
}
/** One request: all its targets are decided together. */
export interface Request {
    /** From 1 to 8 targets. */
    readonly targets: readonly Target[];
    readonly mode: Mode;
}
/** Who decided: see `Outcome.source`. */
export type Source = 'store' | 'cache' | 'fallback' | 'assumed';
/** What became of one target. All times are whole microseconds. */
export interface TargetRuling {
    /** Whether this target alone allows the cost. */
    readonly allowed: boolean;
    /** Units left: after the cost where it was counted, else before it. */
    readonly remaining: number;
    /** Until this caller may go ahead. */
    readonly wait: number;
    /** Until spent quota returns. */
    readonly reset: number;
    /** By which the cost can be given back; 0 where nothing was counted. */
    readonly receipt: number;
}
/** What became of a request. */
export interface Ruling {
    /** Whether every target that is not a shadow allows it. */
    readonly allowed: boolean;
    /** One for each target, in the same order. */
    readonly targets: readonly TargetRuling[];
    readonly source: Source;
    /** The store that counted it, where that is not the one that was asked; refunds go there. */
    readonly countedBy?: Store;
}
/** Tells whether the caller of a request is still there. */
export interface Caller {
    /** Becomes `true` when the caller has given up: a request not sent by then is not sent. */
    readonly gone: boolean;
}
/**
 * Where counts live. A store decides one request at its own time, atomically and all or nothing.
 *
 * Both methods fail with a `SpillwayError` when the store is broken: `STORE_UNAVAILABLE` if
 * nothing can have been counted, `STORE_INDETERMINATE` if something may have been. They never
 * answer a failure with an allow.
 */
export interface Store {
    /** What needs no waiting may be answered, or thrown, at once: a promise costs more than a decision. */
    decide(request: Request, caller?: Caller): Ruling | Promise<Ruling>;
    /** Forgets these keys altogether, as if never seen. */
    forget(keys: readonly string[]): Promise<void>;
}

// policy.d.ts

import type { Algorithm, Args } from './algorithm.js';
/**
 * An algorithm with its parameters: what `slidingWindow({ limit: 100, window: '60s' })` makes.
 * It is immutable and holds no counts, so one policy may serve many limiters.
 */
export interface Policy {
    readonly algorithm: Algorithm;
    /** The parameters as the algorithm's twins read them. */
    readonly args: Args;
    /** Units per window, as the user stated them. */
    readonly limit: number;
    /** Length of the window in milliseconds. */
    readonly windowMs: number;
    /**
     * The most units one request may cost and the most that can be left: `limit`, or the burst
     * where the rule has one. A higher cost can never be allowed.
     */
    readonly capacity: number;
    /**
     * Set by a rule that stores every unit of cost by itself: a higher cost is refused as misuse,
     * and the message ends with this advice.
     */
    readonly maxCost?: {
        readonly value: number;
        readonly advice: string;
    };
    /**
     * The promise: the most net cost admitted in any half-open interval of this many microseconds,
     * wherever it starts. Defined for every number of at least 0, fractions and `Infinity` too.
     */
    most(intervalUs: number): number;
    /**
     * Whether every denial is one that {@link Policy.most} demands. `false` for a rule such as the
     * fixed window, which may deny what its promise would still bear.
     */
    readonly exact: boolean;
    /** Whether it is only tried out: see {@link shadow}. */
    readonly shadow?: boolean;
}

// clock.d.ts

/**
 * Tells the time as whole microseconds since 1970.
 *
 * A clock that steps back makes limiters wait rather than admit more; one that jumps ahead makes
 * them forget. Give your own in tests, and to a hosted Redis that refuses the TIME command.
 */
export type Clock = () => number;
/**
 * What a clock that was given says, for stores.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` if that is no time, `STORE_UNAVAILABLE` if it fails
 */
export declare function timeOf(clock: Clock): number;
/** The clock of this process. Its steps are one millisecond. */
export declare const systemClock: Clock;

// create-limiter.d.ts

import { type DecisionEvent } from './decision-event.js';
import type { Limiter } from './limiter.js';
import type { Policy } from './policy.js';
import type { Store } from './store.js';
/** How a limiter is made. */
export interface LimiterOptions<P extends Readonly<Record<string, Policy>>> {
    /** Where counts live: `memoryStore()`, `ioredisStore(redis)`, `nodeRedisStore(client)` … */
    readonly store: Store;
    /**
     * From 1 to 8 policies by name; a request must be allowed by all of them. A name is part of the
     * stored key, so renaming a policy starts it afresh. Letters, digits, `_`, `.` and `-`.
     */
    readonly policies: P;
    /**
     * Starts every stored key, so that applications can share a Redis. Letters, digits, `_`, `.`
     * and `-`. Default `'spillway'`.
     */
    readonly prefix?: string | undefined;
    /**
     * Where keys are given by policy: the policy whose key carries the slot in a Redis Cluster, so
     * that all of them can be decided in one step. The counts of the other policies are then kept
     * apart for each such key. Default: every key carries its own slot.
     */
    readonly slotBy?: (keyof P & string) | undefined;
    /**
     * Told of every decision, and of every one that failed. Nothing waits for it, and what it throws
     * is let go.
     */
    readonly onDecision?: ((event: DecisionEvent<keyof P & string>) => void) | undefined;
    /** Told `1` when a caller begins to wait in `acquire`, and `-1` when it has ended. */
    readonly onWaiting?: ((change: 1 | -1) => void) | undefined;
}
/**
 * Makes a limiter: policies by name, over a store.
 *
 * @example
 * const limiter = createLimiter({
 *   store: memoryStore(),
 *   policies: { api: slidingWindow({ limit: 100, window: '60s' }) },
 * })
 * const decision = await limiter.consume('user:42')
 * if (!decision.allowed) tellThemToWait(decision.retryAfterMs)
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, `CONTRACT_MISMATCH` for a policy
 *   from a package that does not fit this one
 */
export declare function createLimiter<const P extends Readonly<Record<string, Policy>>>(options: LimiterOptions<P>): Limiter<keyof P & string>;

// decision-event.d.ts

import type { Decision } from './decision.js';
import type { Source } from './store.js';
/** What `onDecision` is told of every `consume`, also of those that `reserve` and `acquire` make. */
export type DecisionEvent<N extends string> = {
    readonly outcome: 'allowed' | 'denied';
    /** As in the decision: the policy that denied, or has the least left. */
    readonly policy: N;
    readonly source: Source;
    /** Milliseconds it took, on a monotonic clock. */
    readonly durationMs: number;
    readonly decision: Decision<N>;
} | {
    readonly outcome: 'failed';
    /** The store's error, as the caller gets it. */
    readonly error: unknown;
    readonly durationMs: number;
};
/**
 * Calls a hook that must not harm: what it throws, or its promise rejects with, is let go. A hook
 * that may fail handles its failures itself.
 */
export declare function tell<E>(hook: (event: E) => unknown, event: E): void;

// decision.d.ts

import type { Cost } from './limiter.js';
import type { Receipt } from './receipt.js';
import type { Source } from './store.js';
/** Where one policy stands. Whole numbers: durations are rounded up, capacity down. */
export interface Quota {
    /** Whether this policy by itself allows the cost. */
    readonly allowed: boolean;
    /** Units per window, as the policy states them. */
    readonly limit: number;
    /**
     * Units left: after the cost where it was counted, else before it. 0 where nobody was asked, as
     * for a cost that can never fit.
     */
    readonly remaining: number;
    /** Milliseconds until spent quota returns; each algorithm says which part of it. */
    readonly resetAfterMs: number;
}
/** What is common to all decisions of a limiter with the policies `N`. */
export interface Outcome<N extends string> extends Quota {
    /**
     * The policy whose numbers stand here: of those that denied, the one with the longest wait;
     * else the one with the least left.
     */
    readonly policy: N;
    /** The numbers of every policy. */
    readonly policies: Readonly<Record<N, Quota>>;
    /**
     * Who decided:
     * - `store`: the store, at its own time
     * - `cache`: this process, from an earlier denial
     * - `fallback`: another store, because the first one failed
     * - `assumed`: nobody, so `remaining` and `resetAfterMs` are 0 and not measured
     */
    readonly source: Source;
}
/** The cost was counted: go ahead. */
export interface Allowed<N extends string> extends Outcome<N> {
    readonly allowed: true;
    /** Milliseconds to wait before going ahead; 0 unless a policy spaces requests out. */
    readonly delayMs: number;
    /** By which `refund` gives the cost back. */
    readonly receipt: Receipt;
}
/** The cost was not counted by any policy. */
export interface Denied<N extends string, R = number | null> extends Outcome<N> {
    readonly allowed: false;
    /**
     * Milliseconds until the same cost is allowed if nobody else comes first, exact to the
     * millisecond; `null` when no wait can ever make it fit.
     */
    readonly retryAfterMs: R;
}
/** The answer to `consume`. Check `allowed` first: the rest depends on it. */
export type Decision<N extends string, R = number | null> = Allowed<N> | Denied<N, R>;
/** The answer to `peek`: what a cost of 1 would meet now. Nothing was counted: no receipt. */
export type Look<N extends string> = Omit<Allowed<N>, 'receipt'> | Denied<N, number>;
/** A counted estimate, to be settled once. */
export interface Reserved<N extends string> extends Allowed<N> {
    /**
     * Makes the actual cost what counts: gives the rest of the estimate back, or charges the excess,
     * which may leave a debt of up to one capacity. A policy's actual cost may be 0.
     *
     * @throws SpillwayError `INVALID_ARGUMENT` if it is settled already; after `STORE_UNAVAILABLE`
     *   it may be settled again
     */
    settle(actual: Cost<N>): Promise<void>;
    /** Settles it at 0. */
    cancel(): Promise<void>;
}
/** The answer to `reserve`. */
export type Reservation<N extends string> = Reserved<N> | Denied<N>;

// limiter.d.ts

import type { Allowed, Decision, Look, Outcome, Reservation } from './decision.js';
import type { Policy } from './policy.js';
/**
 * Whom to limit: one key for all policies, or one for each policy by its name. Any non-empty,
 * well-formed string is one identity.
 */
export type Key<N extends string> = string | Readonly<Record<N, string>>;
/** How much: a positive integer for all policies, or one for each policy by its name. */
export type Cost<N extends string> = number | Readonly<Record<N, number>>;
/**
 * How much to give back: a positive integer for all policies, or one for each policy by its name;
 * a policy left out keeps what it has counted.
 */
export type Refund<N extends string> = number | {
    readonly [P in N]?: number;
};
/** Options of a single call. */
export interface CallOptions<N extends string> {
    /**
     * Policies that take the place of those of the same names for this call: a customer's own plan,
     * say. Counts are shared with the limiter's own policy where the algorithm is the same.
     */
    readonly policies?: {
        readonly [P in N]?: Policy;
    } | undefined;
}
/** Options of `acquire`. */
export interface AcquireOptions<N extends string> extends CallOptions<N> {
    /** Default 1. */
    readonly cost?: Cost<N> | undefined;
    /** Gives up when aborted, with the signal's reason. */
    readonly signal?: AbortSignalLike | undefined;
    /** Gives up after so many milliseconds, or at once if more is known to be needed. */
    readonly timeoutMs?: number | undefined;
}
/** What is used of an `AbortSignal`. */
export interface AbortSignalLike {
    readonly aborted: boolean;
    readonly reason?: unknown;
    addEventListener(type: 'abort', listener: () => void): void;
    removeEventListener(type: 'abort', listener: () => void): void;
}
/**
 * Decides whether requests may go ahead under the policies `N`, all or nothing.
 *
 * Every method rejects with a `SpillwayError`: `INVALID_ARGUMENT` before anything is sent,
 * `STORE_UNAVAILABLE` or `STORE_INDETERMINATE` when the store is broken. A denial is a value.
 */
export interface Limiter<N extends string> {
    /** Counts a cost of 1 if every policy allows it. */
    consume(key: Key<N>): Promise<Decision<N, number>>;
    /**
     * Counts a cost if every policy allows it. Denied, it counts for none of them; a cost above a
     * policy's capacity is denied for good, with `retryAfterMs: null`.
     */
    consume(key: Key<N>, cost: Cost<N>, options?: CallOptions<N>): Promise<Decision<N>>;
    /** Tells what a cost of 1 would meet now. Writes nothing. */
    peek(key: Key<N>, options?: CallOptions<N>): Promise<Look<N>>;
    /**
     * Gives back the cost of an allowed decision, as far as it still counts: what a window or a
     * bucket has already let go is not given a second time. Of before a `reset` of its key, it may give
     * back what others have used since: throw such decisions away.
     *
     * @param decision as this limiter returned it
     * @param cost how much of it; default: all that has not been given back yet
     */
    refund(decision: Allowed<N>, cost?: Refund<N>): Promise<void>;
    /**
     * Consumes an estimate, to be settled when the true cost is known. A reservation that is never
     * settled stays charged.
     */
    reserve(key: Key<N>, estimate: Cost<N>, options?: CallOptions<N>): Promise<Reservation<N>>;
    /**
     * Counts a cost whatever the policies say, for costs known only afterwards. It may leave a debt
     * of up to one capacity, which later requests wait for; what exceeds that is let go.
     */
    charge(key: Key<N>, cost: Cost<N>, options?: CallOptions<N>): Promise<Outcome<N>>;
    /**
     * Waits until this caller may go ahead, and counts the cost then. Callers of one key in this
     * process go first come, first served; other processes, and `consume`, may come between.
     *
     * A caller who gives up consumes nothing, except a turn of a leaky bucket that others already
     * wait behind, which passes unused.
     *
     * @throws SpillwayError `TIMED_OUT`, or `NEVER_FITS` for a cost that no wait can make fit; the
     *   signal's reason when aborted
     */
    acquire(key: Key<N>, options?: AcquireOptions<N>): Promise<Allowed<N>>;
    /** Puts policies in the place of those of the same names, from the next call on. */
    replace(policies: {
        readonly [P in N]?: Policy;
    }): void;
    /**
     * Forgets all counts of this key, as if it had never been seen. Decisions of before are not to be
     * refunded any more: that would give back what others have used since.
     */
    reset(key: Key<N>, options?: CallOptions<N>): Promise<void>;
}

// receipt.d.ts

import type { Store, Target, TargetRuling } from './store.js';
/** What a limiter needs to know to give a cost back. */
export interface Counted {
    readonly limiter: object;
    /** The store that counted it; `null` if none did. */
    readonly store: Store | null;
    readonly targets: readonly Target[];
    /** A target as it is to be given back or charged now: a policy may have been replaced since. */
    readonly inForce: (target: Target, index: number) => Target;
    /** Told of targets of which something has come back. */
    readonly cameBack: (targets: readonly Target[]) => void;
    readonly rulings: readonly TargetRuling[];
    /** What is left to give back, by target; unset until it is first asked for: see {@link restOf}. */
    rest?: readonly Rest[];
    /** Settles when the refunds so far have; refunds of one receipt go one after another. */
    settled?: Promise<void>;
}
/** What is left to give back of one target. */
export interface Rest {
    cost: number;
    receipt: number;
}
/** Under which a receipt keeps what it proves; out of sight of `JSON.stringify`, as keys may be personal. */
export declare const counted: unique symbol;
/** Proof of a counted cost. Opaque: hand the decision that carries it to `refund`. */
export interface Receipt {
    readonly [counted]: Counted;
}
/** Whether a target counted: not a shadow that would have denied, nor what was only assumed. */
export declare function isCounted(proof: Counted, target: number): boolean;
/** What of a counted cost has not been given back yet, by target. */
export declare function restOf(proof: Counted): readonly Rest[];

// deny-cache.d.ts

import type { Store } from './store.js';
/** How a {@link denyCache} is made. */
export interface DenyCacheOptions {
    /** The most denials it remembers; the oldest goes first. Default 10,000. */
    readonly maxKeys?: number | undefined;
    /**
     * For how long it may miss what other processes give back, in milliseconds. Default 1,000.
     */
    readonly maxAgeMs?: number | undefined;
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
export declare function denyCache(store: Store, options?: DenyCacheOptions): Store;

// exact-rate.d.ts

/** A rate in whole numbers: a microsecond has `parts` equal parts, a unit of cost takes `unit`. */
export interface ExactRate {
    readonly parts: number;
    readonly unit: number;
}
/**
 * The rate of `limit` units per window without rounding: what a unit takes is seldom a whole
 * number of microseconds, but always one of parts of a microsecond.
 *
 * @param options the names of the options it is made of, for the message
 * @param capacity the most units held at once: three times as many are exact, for a debt as large
 *   and a clock set back by as much again
 * @throws SpillwayError `INVALID_ARGUMENT` if that takes numbers above 2^53, which happens when
 *   large limits share no factors with the window, or if the capacity takes more than 70 years,
 *   since a time as far ahead as a debt must stay below 2^53 too
 */
export declare function exactRate(options: string, limit: number, windowMs: number, capacity: number): ExactRate;

// invalid.d.ts

import { SpillwayError } from './spillway-error.js';
/**
 * The error for misuse, in its one form: `limit must be a positive integer, got 0.5`.
 *
 * @param option what the caller passed, by its name
 * @param must the rule it breaks, starting with "must"
 * @param value what was received
 */
export declare function invalid(option: string, must: string, value: unknown): SpillwayError;

// spillway-error.d.ts

/**
 * Why a call failed:
 * - `INVALID_ARGUMENT`: misuse; the message names the option and the value received. Nothing was
 *   sent to the store.
 * - `CONTRACT_MISMATCH`: packages of different contract versions were installed together.
 * - `STORE_UNAVAILABLE`: the store could not be asked, or refused before counting: nothing was
 *   counted, so asking again is safe.
 * - `STORE_INDETERMINATE`: the answer was lost or makes no sense: the request may have been
 *   counted, so asking again may count it twice.
 * - `TIMED_OUT`: `acquire` gave up waiting. What it was granted meanwhile is given back, if the
 *   store can be reached.
 * - `NEVER_FITS`: `acquire` was asked for a cost that no wait can make fit. Nothing was counted.
 */
export type ErrorCode = 'INVALID_ARGUMENT' | 'CONTRACT_MISMATCH' | 'STORE_UNAVAILABLE' | 'STORE_INDETERMINATE' | 'TIMED_OUT' | 'NEVER_FITS';
/**
 * The one error of Spillway. Tell cases apart by `code`, never by the message. The two store
 * codes always carry the driver's own error as `cause`.
 */
export declare class SpillwayError extends Error {
    readonly name = "SpillwayError";
    readonly code: ErrorCode;
    constructor(code: ErrorCode, message: string, options?: {
        readonly cause: unknown;
    });
}
/** Whether an error says that the caller is wrong, rather than the store. */
export declare function isMisuse(error: unknown): boolean;
/** Whether an error says that nothing was counted. */
export declare function isUnavailable(error: unknown): boolean;
/** Whether an error says that the store is broken, rather than the request. */
export declare function isStoreFailure(error: unknown): boolean;

// judge.d.ts

import type { State } from './algorithm.js';
import type { Request, Ruling } from './store.js';
/** A ruling, and for how long each state must now be kept. */
export interface Judgement {
    readonly ruling: Ruling;
    /**
     * For each target: `null` where its state was not changed; else microseconds after which the
     * state no longer matters, 0 where nothing is left to remember.
     */
    readonly ttls: readonly (number | null)[];
}
/**
 * Decides one request over the states of its targets: the loop of every store that loads and
 * saves states, and the oracle for the one that runs Lua. Loading, judging and saving must be
 * one atomic step.
 *
 * @param states one for each target, in the same order, `[]` for a key never seen; changed in
 *   place where `ttls` is not `null`
 * @param now the store's time: whole microseconds since 1970
 */
export declare function judge(states: readonly State[], request: Request, now: number): Judgement;

// memory-store.d.ts

import { type Clock } from './clock.js';
import type { Store } from './store.js';
/** How a {@link memoryStore} is made. */
export interface MemoryStoreOptions {
    /**
     * The most keys it holds. When one more is needed, expired keys go first, then the
     * key whose counts matter for the shortest time.
     * Default 100,000.
     */
    readonly maxKeys?: number | undefined;
    /** Default: the clock of this process. */
    readonly clock?: Clock | undefined;
}
/**
 * A store in the memory of this process: for a single process, for tests, and to start with.
 * It sets no timer and keeps no process alive.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export declare function memoryStore(options?: MemoryStoreOptions): Store;

// most-at-rate.d.ts

/**
 * The promise of a rule that lets `capacity` units through at once and `limit` more per window,
 * each as soon as its share of the window is over: a `Policy.most`.
 *
 * @param intervalUs any number of at least 0, `Infinity` too: what is between two microseconds
 *   reaches as far as the next
 */
export declare function mostAtRate(intervalUs: number, limit: number, windowMs: number, capacity: number): number;

// positive-integer.d.ts

/**
 * Returns `value` if it is an integer from 1 to `most`.
 *
 * @param option its name, for the message
 * @param most the highest value allowed; default 2^53 − 1
 * @throws SpillwayError `INVALID_ARGUMENT` naming the option and the value
 */
export declare function positiveInteger(option: string, value: unknown, most?: number): number;

// shadow.d.ts

import type { Policy } from './policy.js';
/**
 * Makes a policy that is decided, counted and reported, but never enforced: to learn what a limit
 * would do before it does it. Its own numbers stand in `decision.policies`.
 */
export declare function shadow(policy: Policy): Policy;

// with-fallback.d.ts

import type { Store } from './store.js';
/**
 * Lets another store decide what the first one fails to: a `memoryStore()` for while Redis is
 * down, say. Decisions of the other carry the source `fallback`, and refunds of them go there.
 *
 * The two count apart, and nothing is moved from one to the other. Only questions fall back
 * (`consume`, `peek`): a refund or a charge that fails is an error, since it belongs where the
 * cost was counted.
 *
 * A timeout belongs inside, `withFallback(withTimeout(redis, 50), memory)`: around both it would
 * count the fallback's answers as none of the store's.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for something that is no store
 */
export declare function withFallback(store: Store, other: Store): Store;

// with-timeout.d.ts

import type { Store } from './store.js';
/**
 * Makes a store answer within a time, whatever happens: a request that is not answered by then
 * rejects with `STORE_INDETERMINATE`. If it is allowed later after all, the cost is given back, as
 * nobody uses it.
 *
 * From then on the store counts as down: only one request at a time is sent to find out, and the
 * others reject at once with `STORE_UNAVAILABLE`, until one is answered in time.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad timeout, or something that is no store
 */
export declare function withTimeout(store: Store, timeoutMs: number): Store;
