/**
 * States what a law demands here.
 *
 * @param demand in words, as it should be
 * @throws Error named `Demand` with the demand, if it does not hold
 */
export function expectThat(holds: boolean, demand: string): asserts holds {
  if (!holds) throw Object.assign(new Error(demand), { name: 'Demand' })
}
