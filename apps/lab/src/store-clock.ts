import { setTimeout as sleep } from 'node:timers/promises'
import { localClock } from './local-clock.js'

/** The clock by which a store decides: Redis's own, or this process's for the memory store. */
export interface StoreClock {
  /** What it says now: whole microseconds since 1970. */
  now(): Promise<number>
  /**
   * Sleeps until it says `timeUs`, never less.
   *
   * @param onTick told now and then how many milliseconds are left
   */
  sleepUntil(timeUs: number, onTick?: (leftMs: number) => void): Promise<void>
}

/** How far another clock is ahead of the local one. */
export interface Offset {
  readonly us: number
  /** The most by which it may be wrong. */
  readonly errorUs: number
}

/**
 * Measures how far a clock is ahead of ours. The answer was given at some moment of its round trip,
 * so the shortest of a few trips tells it best.
 */
export async function measureOffset(now: () => Promise<number>): Promise<Offset> {
  let best: Offset = { us: 0, errorUs: Number.POSITIVE_INFINITY }
  for (let trip = 0; trip < 5; trip++) {
    const before = localClock()
    const there = await now()
    const errorUs = Math.ceil((localClock() - before) / 2)
    if (errorUs < best.errorUs) best = { us: there - (before + errorUs), errorUs }
  }
  return best
}

/** A store's clock, slept by with local timers. */
export function storeClock(now: () => Promise<number>, signal: AbortSignal): StoreClock {
  return {
    now,
    async sleepUntil(timeUs, onTick) {
      const { us, errorUs } = await measureOffset(now)
      const localUs = timeUs - us + errorUs
      for (;;) {
        const leftMs = Math.ceil((localUs - localClock()) / 1000)
        if (leftMs <= 0) return
        onTick?.(leftMs)
        await sleep(Math.min(leftMs, 100), undefined, { signal })
      }
    },
  }
}
