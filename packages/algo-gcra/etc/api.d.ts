// index.d.ts

export { type GcraOptions, gcra } from './gcra.js';

// gcra.d.ts

import { type Duration, type Policy } from '@spillway/core';
/** How a {@link gcra} is made. */
export interface GcraOptions {
    /** The sustained rate, in units per window: a positive integer. */
    readonly limit: number;
    /** The length of the window, at most a year. */
    readonly window: Duration;
    /** The most units at once, and the most one request may cost. Default: `limit`. */
    readonly burst?: number | undefined;
}
/**
 * Allows a sustained rate of `limit` units per window and up to `burst` at once, by the generic
 * cell rate algorithm (ITU-T I.371): a token bucket that remembers a single time. Exact at every
 * rate: 7,000 per second do not drift, although a unit's share of a second is no whole number of
 * microseconds.
 *
 * Any window admits at most `burst + limit − 1` units; with `burst: 1` requests are evenly spaced.
 *
 * `resetAfterMs` is the time until the whole burst is back.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or a rate that whole numbers cannot
 *   hold (a large limit that shares no factors with the window)
 */
export declare function gcra(options: GcraOptions): Policy;
