// index.d.ts

export { type SlidingWindowOptions, slidingWindow } from './sliding-window.js';

// sliding-window.d.ts

import { type Duration, type Policy } from '@spillway/core';
/** How a {@link slidingWindow} is made. */
export interface SlidingWindowOptions {
    /**
     * The most units in any interval as long as the window: a positive integer up to 1,000,000, and
     * up to one for each microsecond of the window.
     */
    readonly limit: number;
    /** The length of the window, at most a year. */
    readonly window: Duration;
}
/**
 * Allows `limit` units in any interval as long as the window, wherever it starts: exact, by a log
 * of every unit that was let through.
 *
 * The log takes memory in proportion to `limit`. A cost of c is c entries, so a request may cost
 * at most 1,000.
 *
 * `resetAfterMs` is the time until the oldest unit leaves the window; the whole window for an
 * empty log.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad limit or window
 */
export declare function slidingWindow(options: SlidingWindowOptions): Policy;
