/** Something that Spillway sets itself to reach. */
export interface Bar<F> {
  readonly name: string
  readonly bar: { readonly atLeast: number } | { readonly atMost: number }
  /** How far these figures are; `null` where they do not tell. */
  readonly value: (figures: F) => number | null
}

/** A bar, and whether it holds. */
export interface JudgedBar {
  readonly name: string
  readonly value: number | null
  readonly bar: Bar<never>['bar']
  readonly holds: boolean
}

export function judged<F>(bars: readonly Bar<F>[], figures: F): JudgedBar[] {
  return bars.map(({ name, bar, value: measured }) => {
    const value = measured(figures)
    const holds = value !== null && ('atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost)
    return { name, value, bar, holds }
  })
}
