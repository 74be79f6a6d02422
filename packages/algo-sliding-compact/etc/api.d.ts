// index.d.ts

export { type CompactSlidingWindowOptions, compactSlidingWindow, } from './compact-sliding-window.js';

// compact-sliding-window.d.ts

import { type Duration, type Policy } from '@spillway/core';
/** How a {@link compactSlidingWindow} is made. */
export interface CompactSlidingWindowOptions {
    /** The most units in any interval as long as the window: a positive integer up to 2^50. */
    readonly limit: number;
    /** The length of the window, at most a year. */
    readonly window: Duration;
}
/**
 * Allows `limit` units in any interval as long as the window, wherever it starts: decision for
 * decision the same as `slidingWindow` of `@spillway/algo-sliding`, in about a tenth of the memory.
 *
 * The log has an entry for each request, not for each unit, so any cost up to the limit is fine.
 *
 * `resetAfterMs` is the time until the oldest request leaves the window; the whole window for an
 * empty log.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad limit or window
 */
export declare function compactSlidingWindow(options: CompactSlidingWindowOptions): Policy;
