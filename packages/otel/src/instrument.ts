import { type Attributes, type MeterProvider, metrics } from '@opentelemetry/api'
import type { DecisionEvent } from '@spillway/core'

/** What is measured, and where it is sent. */
export interface InstrumentOptions {
  /** Tells several limiters apart, as the attribute `spillway.limiter`. Default: none. */
  readonly limiter?: string | undefined
  /** Default: the global one, as it stands when `instrument` is called. */
  readonly meterProvider?: MeterProvider | undefined
}

/** Hooks to spread into the options of `createLimiter`. */
export interface Instrumentation {
  readonly onDecision: (event: DecisionEvent<string>) => void
  readonly onWaiting: (change: 1 | -1) => void
}

// Seconds, from a cached denial on a fast network to a store that hangs.
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

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
export function instrument(options: InstrumentOptions = {}): Instrumentation {
  const { limiter, meterProvider = metrics } = options
  const meter = meterProvider.getMeter('@spillway/otel')
  const common: Attributes = limiter === undefined ? {} : { 'spillway.limiter': limiter }

  const decisions = meter.createCounter('spillway.decisions', {
    description: 'Decisions, by the policy that denied or has the least left, and by outcome',
    unit: '{decision}',
  })
  const wouldDeny = meter.createCounter('spillway.shadow.denials', {
    description: 'Allowed decisions that a shadow policy would have denied',
    unit: '{decision}',
  })
  const duration = meter.createHistogram('spillway.store.duration', {
    description: 'Time until the store had decided, or failed to',
    unit: 's',
    advice: { explicitBucketBoundaries: bounds },
  })
  const waiting = meter.createUpDownCounter('spillway.waiting', {
    description: 'Callers that wait in acquire',
    unit: '{caller}',
  })

  return {
    onDecision(event) {
      const seconds = event.durationMs / 1000
      if (event.outcome === 'failed') {
        const why = { ...common, 'error.type': typeOf(event.error) }
        decisions.add(1, { ...why, 'spillway.outcome': 'failed' })
        duration.record(seconds, why)
        return
      }
      const { outcome, policy, source, decision } = event
      const who = { ...common, 'spillway.source': source }
      decisions.add(1, { ...who, 'spillway.policy': policy, 'spillway.outcome': outcome })
      const neverFits = !decision.allowed && decision.retryAfterMs === null
      if (source !== 'cache' && !neverFits) duration.record(seconds, who) // else no store was asked
      if (!decision.allowed || source === 'assumed') return
      for (const [name, { allowed }] of Object.entries(decision.policies)) {
        if (!allowed) wouldDeny.add(1, { ...common, 'spillway.policy': name })
      }
    },
    onWaiting(change) {
      waiting.add(change, common)
    },
  }
}

/** The kind of an error, of which there are few; messages may hold anything. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
