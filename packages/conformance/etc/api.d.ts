// index.d.ts

export type { Law, Replay } from './law.js';
export { algorithmLaws, laws, storeLaws } from './laws.js';
export { sameDecisionsAs } from './same-decisions.js';
export type { Inspector, StoreUnderTest, Subject } from './subject.js';
export { type WorstCase, type WorstCaseOptions, worstCase } from './worst-case.js';

// law.d.ts

import type { Subject } from './subject.js';
/** One law of the design as a case: data for any test runner. */
export interface Law {
    /** Its number in the design. */
    readonly number: number;
    /** The law in words, fit to name a test. */
    readonly name: string;
    /**
     * What a store under test must have for it: without, it cannot be checked, and to try throws.
     * List the others: `laws.filter(({ needs }) => needs === undefined || needs in subject.store)`.
     */
    readonly needs?: 'inspect' | 'bounded';
    /**
     * Checks it on a subject.
     *
     * @throws Error that tells the history which breaks the law, and how to replay it
     */
    check(subject: Subject, replay?: Replay): Promise<void>;
}
/** Repeats one failing history: copied from the message of the failure. */
export interface Replay {
    readonly seed: number;
    readonly path: string;
    /** The index of the policy in `subject.policies`. */
    readonly policy: number;
}

// subject.d.ts

import type { Clock, Policy, Store } from '@spillway/core';
/** What the laws are checked on: policies of one algorithm, decided by one store. */
export interface Subject {
    readonly store: StoreUnderTest;
    /**
     * At least two: small limits find faults fastest, windows that do not divide evenly find the
     * rest, and one of a few milliseconds is waited out in real time. Each law is checked on each.
     * Policies of several algorithms show that a store keeps these apart.
     */
    readonly policies: readonly Policy[];
}
/** A store as the laws need it. Keys are never used twice, so it need not be empty. */
export interface StoreUnderTest {
    readonly name: string;
    /** Opens the store; it decides by the clock, or by its own time if none is given. */
    open(clock?: Clock): Store;
    /** Opens one that holds at most `maxKeys`, if this store can be bounded so. */
    bounded?(clock: Clock, maxKeys: number): Store;
    /** What only the store's own means can tell; laws that need it cannot be checked without. */
    readonly inspect?: Inspector;
    /** How many random histories a law tries on each policy. Default 100. */
    readonly runs?: number;
    /** For how long a history that breaks a law is made smaller, in milliseconds. Default 3000. */
    readonly shrinkMs?: number;
    /** Draws the same histories every time. Default: others every time. */
    readonly seed?: number;
}
/** Looks into a store behind its back. */
export interface Inspector {
    /** Milliseconds a key has left, `Infinity` for a key without a TTL, `null` for no such key. */
    ttlMs(key: string): Promise<number | null>;
    /** Takes a key's TTL away. */
    loseTtl(key: string): Promise<void>;
    /** Makes a key unreadable for every algorithm, as by a value of another type. */
    spoil(key: string): Promise<void>;
    /** How many changes the store has made to its data so far. */
    changes(): Promise<number>;
    /** How much a key takes, in bytes or any other unit; 0 for no such key. */
    size(key: string): Promise<number>;
    /**
     * Makes the store's server lose what it holds besides data and may lose at any time: cached
     * scripts, prepared statements.
     */
    loseCaches?(): Promise<void>;
}

// laws.d.ts

import type { Law } from './law.js';
/** The laws of a rule, for the author of an algorithm: check them on every store at hand. */
export declare const algorithmLaws: readonly Law[];
/** The laws of a store, for the author of a store or a driver: check them with any algorithm. */
export declare const storeLaws: readonly Law[];
/** All of them, each once. */
export declare const laws: readonly Law[];

// same-decisions.d.ts

import type { Policy } from '@spillway/core';
import type { Law } from './law.js';
/**
 * The law that one algorithm decides as another one does, of which it is a cheaper form: equal
 * answers, after refunds too, on random histories with costs.
 *
 * @param others for each policy of the subject, the one it must equal
 */
export declare function sameDecisionsAs(others: readonly Policy[]): Law;

// worst-case.d.ts

import type { Policy } from '@spillway/core';
/** The most that an adversary got through in one interval, and how. */
export interface WorstCase {
    /** Net cost admitted within the interval: consumed in it and never given back. */
    readonly admitted: number;
    /**
     * What makes it up, in order: when, in microseconds since the start of the interval, and how many
     * units. Of all attacks found that get as much, it is the one that gets it soonest.
     */
    readonly admissions: readonly {
        readonly at: number;
        readonly cost: number;
    }[];
}
/** How long and on which paths a {@link worstCase} is searched. */
export interface WorstCaseOptions {
    /** Draws the random attacks; the same seed finds the same. Default 1. */
    readonly seed?: number;
    /**
     * How many random attacks are tried after the known ones; fewer where they get very many units
     * one by one. Default 2000, or fewer for a rule that stores every unit by itself.
     */
    readonly tries?: number;
}
/**
 * Searches for the history that gets the most through in any half-open interval of this length:
 * what an adversary can do, to be compared with `policy.most(intervalUs)`, what is promised.
 *
 * The known attacks come first: on either side of a boundary of the clock, at saturation, after
 * a request that sets the phase of a bucket and is given back. Random ones follow, each either new
 * or the best so far with a few moves changed. It runs on the TypeScript twin and a clock of its
 * own: no store, no time passes, and the same arguments find the same.
 *
 * A search finds a lower bound. More than is promised is a fault of the rule; less proves nothing
 * but that the promise may be modest.
 */
export declare function worstCase(policy: Policy, intervalUs: number, options?: WorstCaseOptions): WorstCase;
