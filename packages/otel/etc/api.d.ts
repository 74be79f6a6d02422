// index.d.ts

export { type Instrumentation, type InstrumentOptions, instrument } from './instrument.js';

// instrument.d.ts

import { type MeterProvider } from '@opentelemetry/api';
import type { DecisionEvent } from '@spillway/core';
/** What is measured, and where it is sent. */
export interface InstrumentOptions {
    /** Tells several limiters apart, as the attribute `spillway.limiter`. Default: none. */
    readonly limiter?: string | undefined;
    /** Default: the global one, as it stands when `instrument` is called. */
    readonly meterProvider?: MeterProvider | undefined;
}
/** Hooks to spread into the options of `createLimiter`. */
export interface Instrumentation {
    readonly onDecision: (event: DecisionEvent<string>) => void;
    readonly onWaiting: (change: 1 | -1) => void;
}
/**
 * Makes the metrics of a limiter: decisions by policy and outcome, the time the store takes, and
 * the callers that wait. No attribute ever holds a key: their number is bounded, and keys may be
 * personal.
 *
 * Start the SDK first, or give its `meterProvider`: the global API keeps what it was asked for
 * before as it was, doing nothing.
 *
 * @example
 * createLimiter({ store, policies, ...instrument() })
 */
export declare function instrument(options?: InstrumentOptions): Instrumentation;
