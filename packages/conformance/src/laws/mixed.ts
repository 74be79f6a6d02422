import { memoryStore, type Request, type Ruling, type Target } from '@spillway/core'
import * as fc from 'fast-check'
import { companion } from '../companion.js'
import { freshGroup, keyOf, openAt } from '../drive.js'
import { expectThat } from '../expect-that.js'
import { forAll } from '../for-all.js'
import type { Law } from '../law.js'
import { histories } from '../steps.js'

/** Law 8: what has to be decided together may be decided by rules that have nothing in common. */
export const mixedDecideAsOne: Law = forAll(
  {
    number: 8,
    name: 'policies of different algorithms are decided as one, and the longest wait is the wait of all',
    share: 0.3,
  },
  (policy) =>
    fc.tuple(
      histories(policy, { charge: true, giveBack: true }),
      fc.record({
        limit: fc.integer({ min: 1, max: 6 }),
        windowMs: fc.constantFrom(1, policy.windowMs, 2 * policy.windowMs),
        first: fc.boolean(),
        shadow: fc.constantFrom<(boolean | undefined)[]>(undefined, undefined, true),
      }),
    ),
  async ([{ start, steps }, { limit, windowMs, first, shadow }], policy, { store }) => {
    const [opened, clock] = openAt(store, start)
    const twin = memoryStore({ clock: () => clock.now })
    const group = freshGroup()
    const own = { policy, key: keyOf('own', group) }
    const other = { policy: companion(limit, windowMs), key: keyOf('other', group) }
    const counted: Target[][] = []
    let wait = 0

    async function decide(request: Request): Promise<Ruling> {
      const expected = await twin.decide(request)
      const ruling = await opened.decide(request)
      expectThat(
        JSON.stringify(ruling) === JSON.stringify(expected),
        `a ${request.mode} of both answers ${JSON.stringify(expected)}, not ${JSON.stringify(ruling)}`,
      )
      return ruling
    }

    async function isAllowedAfter(us: number, targets: readonly Target[]): Promise<boolean> {
      clock.now += us
      const { allowed } = await decide({ mode: 'look', targets })
      clock.now -= us
      return allowed
    }

    for (const step of steps) {
      if (step.do === 'wait') clock.now += step.us
      else if (step.do === 'wait out') clock.now += Math.max(0, wait - step.lessUs)
      else if (step.do === 'give back') {
        const targets = counted.pop()
        if (targets !== undefined) await decide({ mode: 'giveBack', targets })
      } else if (step.do !== 'step back') {
        const { do: mode, cost } = step
        const both = [
          { ...own, cost },
          { ...other, cost: Math.min(cost, limit), ...(shadow && { shadow }) },
        ]
        const targets = first ? both : both.toReversed()
        const ruling = await decide({ mode, targets })
        const denied = ruling.targets.filter(({ allowed }, i) => !allowed && !targets[i]!.shadow)
        expectThat(
          ruling.allowed === (denied.length === 0),
          'a request is allowed if and only if every policy allows it that is no shadow',
        )
        if (ruling.allowed && mode !== 'look') {
          const parts = targets.map((target, i) => [target, ruling.targets[i]!] as const)
          counted.push(
            parts.flatMap(([target, { allowed, receipt }]) =>
              allowed ? [{ ...target, receipt }] : [],
            ),
          )
        }
        if (ruling.allowed) continue
        wait = Math.max(...denied.map((one) => one.wait))
        expectThat(
          !(await isAllowedAfter(wait - 1, targets)) && (await isAllowedAfter(wait, targets)),
          `both are denied until the longest wait, ${wait} µs, is over, and allowed then`,
        )
      }
    }
  },
)
