/**
 * States what a law demands here.
 *
 * @param demand in words, as it should be
 * @throws Error with the demand, if it does not hold
 */
export function expectThat(holds: boolean, demand: string): asserts holds {
  if (!holds) throw new Error(demand)
}
