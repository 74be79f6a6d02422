import type { Mode, Policy, Ruling, Store, Target, TargetRuling } from '@spillway/core'
import { expectThat } from './expect-that.js'
import type { Step } from './steps.js'
import type { StoreUnderTest } from './subject.js'

/** A manual clock. */
export interface ManualClock {
  now: number
}

/** What came of one decision in a driven history. */
interface Event extends TargetRuling {
  /** The clock when it was made. */
  readonly at: number
  readonly mode: Mode
  readonly cost: number
}

/** An allowed or charged cost, and how much of it has not been given back. */
export interface Admission {
  readonly at: number
  readonly cost: number
  net: number
  receipt: number
}

/** One key of a store, driven by hand. */
export interface Driven {
  readonly key: string
  readonly clock: ManualClock
  /** Costs that were let through, in order. */
  readonly admissions: readonly Admission[]
  decide(mode: Mode, cost: number, more?: Partial<Target>): Promise<TargetRuling>
  look(cost: number, at?: number): Promise<TargetRuling>
  /** Takes one step; answers what it decided, or nothing for a wait. */
  take(step: Step): Promise<Event | undefined>
}

let groups = 0
const session = Math.random().toString(36).slice(2, 10)

/** What no run has used before. */
export function freshGroup(): string {
  groups += 1
  return `${session}-${groups}`
}

/** A key of the group, which all its keys share a Cluster slot with. */
export function keyOf(policyName: string, group: string): string {
  return `laws:${policyName}:{${group}}`
}

/** A key that no run has used before. */
export function freshKey(): string {
  return keyOf('policy', freshGroup())
}

/** Opens a store on a manual clock. */
export function openAt(subject: StoreUnderTest, start: number): [Store, ManualClock] {
  const clock = { now: start }
  return [subject.open(() => clock.now), clock]
}

/** Drives one fresh key under one policy. Every answer is checked to be made of legal numbers. */
export function drive(
  store: Store,
  clock: ManualClock,
  policy: Policy,
  key: string = freshKey(),
): Driven {
  const admissions: Admission[] = []
  let lastWait = 0

  async function decide(mode: Mode, cost: number, more: Partial<Target> = {}) {
    const ruling = await store.decide({ mode, targets: [{ policy, key, cost, ...more }] })
    expectLegal(ruling, policy)
    expectThat(
      ruling.allowed || mode === 'look' || mode === 'consume',
      `a ${mode === 'charge' ? 'charge' : 'refund'} is never denied`,
    )
    return ruling.targets[0]!
  }

  return {
    key,
    clock,
    admissions,
    decide,
    async look(cost, at = clock.now) {
      const { now } = clock
      clock.now = at
      try {
        return await decide('look', cost)
      } finally {
        clock.now = now
      }
    },
    async take(step) {
      if (step.do === 'wait' || step.do === 'wait out' || step.do === 'step back') {
        clock.now += advance(step, lastWait)
        return
      }
      if (step.do === 'give back') {
        const one =
          step.which === 'latest'
            ? admissions.findLast(({ net }) => net > 0)
            : admissions[step.which % Math.max(1, admissions.length)]
        const cost = Math.min(step.cost, one?.net ?? 0)
        if (one === undefined || cost === 0) return
        const ruling = await decide('giveBack', cost, { receipt: one.receipt })
        one.net -= cost
        one.receipt = ruling.receipt
        return { ...ruling, at: clock.now, mode: 'giveBack', cost }
      }
      const { do: mode, cost } = step
      const ruling = await decide(mode, cost)
      lastWait = ruling.wait
      if (mode !== 'look' && ruling.allowed) {
        admissions.push({ at: clock.now, cost, net: cost, receipt: ruling.receipt })
      }
      return { ...ruling, at: clock.now, mode, cost }
    },
  }
}

function advance(
  step: Extract<Step, { readonly do: 'wait' | 'wait out' | 'step back' }>,
  lastWait: number,
): number {
  if (step.do === 'wait out') return Math.max(0, lastWait - step.lessUs)
  return step.do === 'wait' ? step.us : -step.us
}

/** Law 4 and the shape of every answer: checked on each decision that any law makes. */
function expectLegal({ allowed, targets }: Ruling, { capacity }: Policy): void {
  for (const { remaining, wait, reset, receipt, ...own } of targets) {
    expectThat(
      Number.isSafeInteger(remaining) && remaining >= 0 && remaining <= capacity,
      `remaining is an integer from 0 to the capacity ${capacity}, not ${remaining}`,
    )
    for (const [name, value] of Object.entries({ wait, reset, receipt })) {
      expectThat(
        Number.isSafeInteger(value) && value >= 0,
        `${name} is a whole number of at least 0, not ${value}`,
      )
    }
    expectThat(own.allowed || wait > 0, 'a denial has a wait above 0')
  }
  expectThat(typeof allowed === 'boolean', 'a ruling says whether it allows')
}
