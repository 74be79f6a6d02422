// index.d.ts

export { type LeakyBucketOptions, leakyBucket } from './leaky-bucket.js';

// leaky-bucket.d.ts

import { type Duration, type Policy } from '@spillway/core';
/** How a {@link leakyBucket} is made. */
export interface LeakyBucketOptions {
    /** The rate at which requests leave, in units per window: a positive integer. */
    readonly limit: number;
    /** The length of the window, at most a year. */
    readonly window: Duration;
    /** How many units may wait for their turn: an integer of at least 0. */
    readonly queue: number;
}
/**
 * Lets requests leave evenly spaced, `window / limit` apart: an allowed decision says in `delayMs`
 * how long to wait before going ahead. Up to `queue` units wait for their turn; when the queue is
 * full, a request is denied.
 *
 * A cost of c takes c turns in a row and goes ahead at the first of them, so it fits if at most
 * `queue` turns have to wait: no cost above `queue + 1` ever does.
 *
 * A refund gives back the last turn in the queue. A turn with others behind it passes unused:
 * theirs have been told already, and giving it away would let two leave at once.
 *
 * `resetAfterMs` is the time until the queue is empty and the last turn is over.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or a rate that whole numbers cannot
 *   hold (a large limit that shares no factors with the window)
 */
export declare function leakyBucket(options: LeakyBucketOptions): Policy;
