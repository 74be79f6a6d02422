import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stateTable } from '../src/state-table.js'

type Step =
  | { readonly do: 'set'; readonly key: string; readonly ttl: number }
  | { readonly do: 'delete'; readonly key: string }
  | { readonly do: 'wait'; readonly us: number }

const key = fc.nat(30).map(String)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('set' as const),
        key,
        ttl: fc.integer({ min: 1, max: 50 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        us: fc.integer({ min: -5, max: 40 }),
      }),
    },
  ),
  { maxLength: 200, size: 'max' },
)

test('it agrees with a table that looks through all it holds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), steps, (maxKeys, all) => {
      const table = stateTable(maxKeys)
      const naive = new Map<string, { state: number[]; expires: number }>()
      let now = 1000
      all.forEach((step, i) => {
        if (step.do === 'wait') {
          now += step.us
          return
        }
        if (step.do === 'delete') {
          table.delete(step.key)
          naive.delete(step.key)
        } else {
          const isNew = !naive.has(step.key)
          const before = [...naive]
          const state = [i]
          table.set(step.key, state, now + step.ttl, now)
          // Equals may go in any order, so the table says which went, and the model what may go.
          const gone = isNew ? before.filter(([own]) => table.get(own) === undefined) : []
          const soonest = before.map(([, { expires }]) => expires).toSorted((a, b) => a - b)
          const dead = soonest.filter((expires) => expires <= now).length
          const demanded = isNew ? Math.max(Math.min(dead, 2), before.length >= maxKeys ? 1 : 0) : 0
          const went = gone.map(([, { expires }]) => expires).toSorted((a, b) => a - b)
          if (`${went}` !== `${soonest.slice(0, demanded)}`) {
            expect.fail(`step ${i}: ${went} went, of ${soonest} the first ${demanded} should`)
          }
          for (const [own] of gone) naive.delete(own)
          naive.set(step.key, { state, expires: now + step.ttl })
        }
        const holds = [...naive].every(([own, { state }]) => table.get(own) === state)
        if (!holds || table.size !== naive.size || table.size > maxKeys) {
          expect.fail(`step ${i}: it holds other states than the last ones of its keys`)
        }
      })
    }),
    { numRuns: 200 },
  )
})

describe('a full table', () => {
  test('drops what has expired before anything that still matters', () => {
    const table = stateTable(3)
    table.set('long', [1], 900, 0)
    table.set('expired', [2], 10, 0)
    table.set('short', [3], 100, 0)
    table.set('new', [4], 50, 20)
    expect(['long', 'expired', 'short', 'new'].map((own) => table.get(own))).toEqual([
      [1],
      undefined,
      [3],
      [4],
    ])
  })

  test('else drops the one that matters for the shortest time, by its latest expiry', () => {
    const table = stateTable(2)
    table.set('a', [1], 10, 0)
    table.set('b', [2], 20, 0)
    table.set('a', [3], 30, 0)
    table.set('c', [4], 40, 0)
    expect(['a', 'b', 'c'].map((own) => table.get(own))).toEqual([[3], undefined, [4]])
  })

  test('of one key holds the newest', () => {
    const table = stateTable(1)
    for (const own of ['a', 'b', 'c']) table.set(own, [1], 1000, 0)
    expect(['a', 'b', 'c'].map((own) => table.get(own))).toEqual([undefined, undefined, [1]])
  })

  test('drops nothing for a key it knows', () => {
    const table = stateTable(2)
    table.set('a', [1], 10, 0)
    table.set('b', [2], 20, 0)
    table.set('b', [3], 5, 0)
    expect(table.get('a')).toEqual([1])
    expect(table.get('b')).toEqual([3])
  })
})

test('it shrinks while it is used: two expired states go for each new one', () => {
  const table = stateTable(100_000)
  for (let i = 0; i < 10_000; i++) table.set(`old ${i}`, [i], 100, 0)
  expect(table.size).toBe(10_000)
  for (let i = 0; i < 2500; i++) table.set(`new ${i}`, [i], 1000, 200)
  expect(table.size).toBe(7500)
  for (let i = 2500; i < 5000; i++) table.set(`new ${i}`, [i], 1000, 200)
  expect(table.size).toBe(5000)
})
