import { describe, expect, test } from 'vitest'
import { judge, type Mode, type State, type Target } from '../src/index.js'
import { tally } from './tally.js'

const now = 1_800_000_000_000_000

function target(cost: number, more: Partial<Target> = {}): Target {
  return { policy: tally(10), key: 'k', cost, ...more }
}

/** Judges over fresh states, or given ones, and tells what became of them. */
function judged(mode: Mode, targets: readonly Target[], states: State[] = targets.map(() => [])) {
  return { ...judge(states, { mode, targets }, now), states }
}

describe('judge', () => {
  test('counts only if every target allows it, and says for how long to keep what it wrote', () => {
    const { ruling, ttls, states } = judged('consume', [target(3), target(4)])
    expect(ruling).toMatchObject({ allowed: true, targets: [{ remaining: 7 }, { remaining: 6 }] })
    expect(ttls).toEqual([1_000_000, 1_000_000])
    expect(states.map(([units]) => units)).toEqual([3, 4])
  })

  test('changes no state when one denies, and reports the moment before the cost', () => {
    const { ruling, ttls, states } = judged('consume', [target(3), target(11)])
    expect(ruling).toMatchObject({
      allowed: false,
      targets: [
        { allowed: true, remaining: 10, receipt: 0 },
        { allowed: false, remaining: 10, receipt: 0 },
      ],
    })
    expect(ttls).toEqual([null, null])
    expect(states).toEqual([[], []])
  })

  test('a shadow that denies denies nothing, is not counted, and reports that it denied', () => {
    const { ruling, ttls } = judged('consume', [target(3), target(11, { shadow: true })])
    expect(ruling).toMatchObject({
      allowed: true,
      targets: [{ allowed: true }, { allowed: false }],
    })
    expect(ttls).toEqual([1_000_000, null])
  })

  test('a shadow that allows is counted with the others, and with a denial not at all', () => {
    expect(judged('consume', [target(3, { shadow: true })]).ttls).toEqual([1_000_000])
    expect(judged('consume', [target(3, { shadow: true }), target(11)]).ttls).toEqual([null, null])
  })

  test('a look changes nothing', () => {
    const { ruling, ttls, states } = judged('look', [target(3)])
    expect(ruling).toMatchObject({ allowed: true, targets: [{ remaining: 10, receipt: 0 }] })
    expect({ ttls, states }).toEqual({ ttls: [null], states: [[]] })
  })

  test('a charge counts whatever the rule says', () => {
    const full = [10, now + 500]
    const { ruling } = judged('charge', [target(3)], [full])
    expect(ruling.allowed).toBe(true)
    expect(full).toEqual([13, now + 500])
  })

  test('giving back goes by receipt, and 0 to keep says that nothing is left', () => {
    const state = [3, now + 500]
    const part = judged('giveBack', [target(1, { receipt: now + 500 })], [state])
    expect(part.ruling.targets).toMatchObject([{ allowed: true, remaining: 8 }])
    expect(part.ttls).toEqual([500])
    expect(judged('giveBack', [target(2, { receipt: now + 500 })], [state]).ttls).toEqual([0])
  })
})
