import type { Policy, State } from '@spillway/core'

/** The most that an adversary got through in one interval, and how. */
export interface WorstCase {
  /** Net cost admitted within the interval: consumed in it and never given back. */
  readonly admitted: number
  /**
   * What makes it up, in order: when, in microseconds since the start of the interval, and how many
   * units. Of all attacks found that get as much, it is the one that gets it soonest.
   */
  readonly admissions: readonly { readonly at: number; readonly cost: number }[]
}

/** How long and on which paths a {@link worstCase} is searched. */
export interface WorstCaseOptions {
  /** Draws the random attacks; the same seed finds the same. Default 1. */
  readonly seed?: number
  /**
   * How many random attacks are tried after the known ones; fewer where they get very many units
   * one by one. Default 2000, or fewer for a rule that stores every unit by itself.
   */
  readonly tries?: number
}

/**
 * Searches for the history that gets the most through in any half-open interval of this length:
 * what an adversary can do, to be compared with `policy.most(intervalUs)`, what is promised.
 *
 * The known attacks come first: on either side of a boundary of the clock, at saturation, after
 * a request that sets the phase of a bucket and is given back. Random ones follow, each either new
 * or the best so far with a few moves changed. It runs on the TypeScript twin and a clock of its
 * own: no store, no time passes, and the same arguments find the same.
 *
 * A search finds a lower bound. More than is promised is a fault of the rule; less proves nothing
 * but that the promise may be modest.
 */
export function worstCase(
  policy: Policy,
  intervalUs: number,
  options: WorstCaseOptions = {},
): WorstCase {
  const { seed = 1, tries = defaultTries(policy) } = options
  const random = randomNumbers(seed)
  const gaps = gapsOf(policy, intervalUs)
  let best: WorstCase = { admitted: 0, admissions: [] }
  let bestAttack: Attack | undefined
  let admissions = 0

  for (const attack of knownAttacks(gaps, intervalUs)) attempt(attack)
  for (let i = 0; i < tries && admissions < mostAdmissions; i++) {
    const changed = bestAttack !== undefined && random(2) === 0
    attempt(changed ? changedAttack(bestAttack!, gaps, random) : randomAttack(gaps, random))
  }
  return best

  function attempt(attack: Attack): void {
    const admitted = carryOut(attack, policy, intervalUs)
    admissions += admitted.length
    const found = densest(admitted, intervalUs)
    const isBetter =
      found.admitted > best.admitted ||
      (found.admitted === best.admitted && lateness(found) < lateness(best))
    if (!isBetter) return
    best = found
    bestAttack = attack
  }
}

/** One move: after a wait, take what there is, or give back. */
interface Move {
  readonly us: number
  /**
   * `await`: first wait for as long as the next unit needs, then take all there is; `drain`: that,
   * again and again, for more than the interval.
   */
  readonly do: 'take all' | 'take one' | 'await' | 'drain' | 'give back first' | 'give back last'
}

/** Moves from a start so many microseconds after a boundary of the clock. */
interface Attack {
  readonly phase: number
  readonly moves: readonly Move[]
}

const mostAdmissions = 1_000_000

const kinds = ['take all', 'take one', 'await', 'give back first', 'give back last'] as const

function defaultTries({ capacity, maxCost }: Policy): number {
  return maxCost === undefined ? 2000 : Math.min(2000, Math.ceil(200_000 / capacity))
}

/** Waits near the edges of the rule and of the interval. */
function gapsOf({ limit, windowMs }: Policy, interval: number): readonly number[] {
  const window = windowMs * 1000
  const share = Math.ceil(window / limit)
  const edges = [window, share, interval, Math.ceil(window / 2)]
  const near = edges.flatMap((edge) => [edge - 1, edge, edge + 1])
  return [...new Set([0, 1, ...near])].filter((us) => us >= 0)
}

/**
 * Whatever opens the attack, its end is the same: take all, take what comes back as soon as it
 * does, and again in the last microsecond of the interval.
 */
function* knownAttacks(gaps: readonly number[], interval: number): Generator<Attack> {
  const last: Move = { us: interval - 1, do: 'take all' }
  const ends: readonly (readonly Move[])[] = [
    [last, { us: 1, do: 'take all' }],
    [{ us: 0, do: 'drain' }],
    [{ us: 0, do: 'await' }, { us: 1, do: 'take all' }, last],
  ]
  for (const gap of gaps) {
    const openings: readonly (readonly Move[])[] = [
      [{ us: 0, do: 'take all' }],
      ...(['take one', 'take all'] as const).map((opening): readonly Move[] => [
        { us: 0, do: opening },
        { us: gap, do: 'take all' },
        { us: 0, do: 'give back first' },
        { us: 0, do: 'take all' },
      ]),
    ]
    for (const opening of openings) {
      for (const end of ends) yield { phase: -gap, moves: [...opening, ...end] }
    }
  }
}

function randomAttack(gaps: readonly number[], random: RandomNumbers): Attack {
  const length = 2 + random(12)
  return {
    phase: gaps[random(gaps.length)]! * (random(2) === 0 ? 1 : -1),
    moves: Array.from({ length }, () => randomMove(gaps, random)),
  }
}

function randomMove(gaps: readonly number[], random: RandomNumbers): Move {
  return { us: gaps[random(gaps.length)]!, do: kinds[random(kinds.length)]! }
}

function changedAttack(
  { phase, moves }: Attack,
  gaps: readonly number[],
  random: RandomNumbers,
): Attack {
  const changed = [...moves]
  for (let i = random(3); i >= 0; i--) {
    changed.splice(random(moves.length), random(2), randomMove(gaps, random))
  }
  return { phase, moves: changed }
}

/** What was let through, and how much of it has not been given back. */
interface Admission {
  readonly at: number
  net: number
  receipt: number
}

function carryOut(
  { phase, moves }: Attack,
  policy: Policy,
  interval: number,
): readonly Admission[] {
  const { algorithm, args, windowMs } = policy
  const window = windowMs * 1000
  const admissions: Admission[] = []
  let state: State = []
  let now = 1_800_000_000_000_000 - (1_800_000_000_000_000 % window) + window + phase
  for (const move of moves) {
    now += move.us
    if (move.do === 'await') now += untilAllowed()
    if (move.do === 'take one') take(1)
    else if (move.do === 'take all' || move.do === 'await') takeAll()
    else if (move.do === 'drain') drain()
    else giveBack(move.do === 'give back first' ? held()[0] : held().at(-1))
  }
  return admissions

  function untilAllowed(): number {
    const { allowed, wait } = algorithm.check(state, now, 1, args)
    return allowed ? 0 : wait
  }

  function held(): readonly Admission[] {
    return admissions.filter(({ net }) => net > 0)
  }

  function takeAll(): void {
    const most = policy.maxCost?.value ?? policy.capacity
    let { remaining } = algorithm.check(state, now, 1, args)
    for (; remaining > 0; remaining -= most) take(Math.min(remaining, most))
  }

  function drain(): void {
    const end = now + 2 * interval
    for (let times = 0; times < 50 || now + untilAllowed() < end; times++) {
      now += untilAllowed()
      takeAll()
    }
  }

  function take(cost: number): void {
    if (!algorithm.check(state, now, cost, args).allowed) return
    const { receipt, ttl } = algorithm.record(state, now, cost, args)
    if (ttl === 0) state = []
    admissions.push({ at: now, net: cost, receipt })
  }

  function giveBack(one: Admission | undefined): void {
    if (one === undefined) return
    const { receipt, ttl } = algorithm.giveBack(state, now, one.net, args, one.receipt)
    if (ttl === 0) state = []
    one.net = 0
    one.receipt = receipt
  }
}

/** How late, all in all, its units are. */
function lateness({ admissions }: WorstCase): number {
  return admissions.reduce((sum, { at, cost }) => sum + at * cost, 0)
}

/** The interval of this length with the most net cost in it. */
function densest(admissions: readonly Admission[], interval: number): WorstCase {
  let [from, to, net] = [0, 0, 0]
  let best = { admitted: 0, from: 0, to: 0 }
  for (const first of admissions) {
    while (to < admissions.length && admissions[to]!.at - first.at < interval) {
      net += admissions[to]!.net
      to++
    }
    if (net > best.admitted) best = { admitted: net, from, to }
    net -= first.net
    from++
  }
  const start = admissions[best.from]?.at ?? 0
  return {
    admitted: best.admitted,
    admissions: admissions
      .slice(best.from, best.to)
      .filter(({ net }) => net > 0)
      .map(({ at, net }) => ({ at: at - start, cost: net })),
  }
}

/** A whole number from 0 to one below `below`. */
type RandomNumbers = (below: number) => number

/** Numbers that look random and are the same for the same seed (mulberry32, by Tommy Ettinger). */
function randomNumbers(seed: number): RandomNumbers {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
