import type { Spread } from './spread.js'

/** 412,000: a rate, to three digits, since no more of them mean anything. */
export function shownRate(perSecond: number): string {
  return Number(perSecond.toPrecision(3)).toLocaleString('en-US')
}

/** Microseconds, to what can be told apart. */
export function shownUs(us: number): string {
  return us < 10 ? us.toFixed(2) : us < 100 ? us.toFixed(1) : us.toFixed(0)
}

/** How far rounds lay apart: half of the range, as a share of the median. */
export function shownSpread({ median, least, most }: Spread): string {
  return `±${Math.round(((most - least) / 2 / median) * 100)}%`
}
