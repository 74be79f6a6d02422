// index.d.ts

export { type SegmentedWindowOptions, segmentedWindow } from './segmented-window.js';
export { type SlidingCounterOptions, slidingCounter } from './sliding-counter.js';

// segmented-window.d.ts

import { type Duration, type Policy } from '@spillway/core';
/** How a {@link segmentedWindow} is made. */
export interface SegmentedWindowOptions {
    /** The most units in any interval as long as the window: a positive integer up to 2^50. */
    readonly limit: number;
    /** The length of the window, at most a year. */
    readonly window: Duration;
    /**
     * In how many segments the window is counted, from 1 to 100. More of them give quota back
     * sooner (after at most `1/segments` of a window too late) and take more memory.
     */
    readonly segments: number;
}
/**
 * Allows at most `limit` units in any interval as long as the window, in constant memory: units
 * are counted by segment of the window, and a segment counts whole until all of it has left.
 *
 * The limit is hard; the price is that a unit returns up to `window / segments` later than from
 * an exact log.
 *
 * `resetAfterMs` is the time until the oldest segment leaves the window; the whole window for a
 * key with nothing in it.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export declare function segmentedWindow(options: SegmentedWindowOptions): Policy;

// sliding-counter.d.ts

import { type Duration, type Policy } from '@spillway/core';
/** How a {@link slidingCounter} is made. */
export interface SlidingCounterOptions {
    /** The most units per window, as estimated: a positive integer. */
    readonly limit: number;
    /** The length of the window, at most a year. Windows begin at multiples of it since 1970 (UTC). */
    readonly window: Duration;
}
/**
 * Estimates a sliding window from two counters: what was counted in the current window of the
 * clock, and the part of the previous one that would still be inside a sliding window if its
 * requests had come evenly, rounded up.
 *
 * As they need not have come evenly, a window that slides can see up to `2 × limit − 1` units; a
 * burst across a boundary, unlike with `fixedWindow`, is refused.
 *
 * `resetAfterMs` is the time until everything counted has left the estimate.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option, or a product of limit and window that
 *   whole numbers cannot hold: above 2^52, with the window in milliseconds
 */
export declare function slidingCounter(options: SlidingCounterOptions): Policy;
