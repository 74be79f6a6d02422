import type { State } from './algorithm.js'
import type { Mode, Request, Ruling, Target, TargetRuling } from './store.js'

/** A ruling, and for how long each state must now be kept. */
export interface Judgement {
  readonly ruling: Ruling
  /**
   * For each target: `null` where its state was not changed; else microseconds after which the
   * state no longer matters, 0 where nothing is left to remember.
   */
  readonly ttls: readonly (number | null)[]
}

/**
 * Decides one request over the states of its targets: the loop of every store that loads and
 * saves states, and the oracle for the one that runs Lua. Loading, judging and saving must be
 * one atomic step.
 *
 * @param states one for each target, in the same order, `[]` for a key never seen; changed in
 *   place where `ttls` is not `null`
 * @param now the store's time: whole microseconds since 1970
 */
export function judge(states: readonly State[], request: Request, now: number): Judgement {
  const { mode, targets } = request
  const rulings: TargetRuling[] = []
  const ttls: (number | null)[] = []
  let allowed = true
  for (let i = 0; i < targets.length; i++) {
    const ruling = check(states[i]!, targets[i]!, mode, now)
    rulings.push(ruling)
    ttls.push(null)
    if (!ruling.allowed && !targets[i]!.shadow) allowed = false
  }
  if (allowed && mode !== 'look') {
    for (let i = 0; i < targets.length; i++) {
      const { allowed: own, wait } = rulings[i]!
      if (!own) continue
      const { receipt, remaining, reset, ttl } = count(states[i]!, targets[i]!, mode, now)
      rulings[i] = { allowed: own, remaining, wait, reset, receipt }
      ttls[i] = ttl
    }
  }
  return { ruling: { allowed, targets: rulings, source: 'store' }, ttls }
}

function check(state: State, target: Target, mode: Mode, now: number): TargetRuling {
  if (mode === 'charge' || mode === 'giveBack') {
    return { allowed: true, remaining: 0, wait: 0, reset: 0, receipt: 0 }
  }
  const { algorithm, args } = target.policy
  const { allowed, remaining, wait, reset } = algorithm.check(state, now, target.cost, args)
  return { allowed, remaining, wait, reset, receipt: 0 }
}

function count(state: State, target: Target, mode: Mode, now: number) {
  const { algorithm, args } = target.policy
  return mode === 'giveBack'
    ? algorithm.giveBack(state, now, target.cost, args, target.receipt ?? 0)
    : algorithm.record(state, now, target.cost, args)
}
