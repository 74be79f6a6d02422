/** Something admitted: when, in microseconds, and how many units. */
export interface Admission {
  readonly at: number
  readonly cost: number
}

/** From `at` on, `sum` units have been admitted in the last window. */
export interface Step {
  readonly at: number
  readonly sum: number
}

/** How many units the last `windowUs` saw admitted, at every moment at which that changes. */
export function rollingSum(admissions: readonly Admission[], windowUs: number): readonly Step[] {
  const changes = new Map<number, number>()
  for (const { at, cost } of admissions) {
    changes.set(at, (changes.get(at) ?? 0) + cost)
    changes.set(at + windowUs, (changes.get(at + windowUs) ?? 0) - cost)
  }
  let sum = 0
  return [...changes]
    .sort(([one], [other]) => one - other)
    .map(([at, change]) => {
      sum += change
      return { at, sum }
    })
}

/**
 * The highest sum in each of `count` equal parts of the time from `from` to `to`: a peak is seen
 * however short it is.
 */
export function highestSums(
  steps: readonly Step[],
  from: number,
  to: number,
  count: number,
): readonly number[] {
  const length = (to - from) / count
  let next = 0
  let sum = 0
  return Array.from({ length: count }, (_, i) => {
    while (next < steps.length && steps[next]!.at <= from + i * length) sum = steps[next++]!.sum
    let highest = sum
    while (next < steps.length && steps[next]!.at < from + (i + 1) * length) {
      sum = steps[next++]!.sum
      highest = Math.max(highest, sum)
    }
    return highest
  })
}
