import type { Caller, Ruling, Store, Target, TargetRuling } from './store.js'

/** A shadow whose cost can never fit: it would deny, and there is nothing to ask. */
const unfit: TargetRuling = { allowed: false, remaining: 0, wait: 0, reset: 0, receipt: 0 }

/** Whether a cost could ever be allowed. */
export function fits({ cost, policy }: Target): boolean {
  return cost <= policy.capacity && (policy.maxCost === undefined || cost <= policy.maxCost.value)
}

/** Asks the store to consume, without the shadows that can never fit, which deny nothing. */
export function consumeFitting(
  store: Store,
  targets: readonly Target[],
  caller: Caller | undefined,
): Ruling | Promise<Ruling> {
  return targets.every(fits)
    ? store.decide({ mode: 'consume', targets }, caller)
    : consumeSome(store, targets, caller)
}

async function consumeSome(
  store: Store,
  targets: readonly Target[],
  caller: Caller | undefined,
): Promise<Ruling> {
  const fitting = targets.filter(fits)
  if (fitting.length === 0) {
    return { allowed: true, targets: targets.map(() => unfit), source: 'assumed' }
  }
  const ruling = await store.decide({ mode: 'consume', targets: fitting }, caller)
  const rulings = new Map(fitting.map((target, i) => [target, ruling.targets[i]!]))
  return { ...ruling, targets: targets.map((target) => rulings.get(target) ?? unfit) }
}
