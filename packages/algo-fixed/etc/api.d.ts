// index.d.ts

export { type FixedWindowOptions, fixedWindow } from './fixed-window.js';

// fixed-window.d.ts

import { type Duration, type Policy } from '@spillway/core';
/** How a {@link fixedWindow} is made. */
export interface FixedWindowOptions {
    /** The most units per window: a positive integer up to 2^50. */
    readonly limit: number;
    /** The length of a window, at most a year. Windows begin at multiples of it since 1970 (UTC). */
    readonly window: Duration;
}
/**
 * Allows `limit` units in each window of the clock: one counter a key, the cheapest rule there is.
 *
 * A caller who spends one budget at the end of a window and the next at the beginning of the
 * following one gets up to `2 × limit` through in a moment. Where that matters, take
 * `slidingWindow` of `@spillway/algo-sliding`.
 *
 * `resetAfterMs` is the time to the end of the current window, when the whole limit returns.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad limit or window
 */
export declare function fixedWindow(options: FixedWindowOptions): Policy;
