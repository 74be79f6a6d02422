import { describe, expect, test } from 'vitest'
import { guaranteeTables } from '../src/guarantee-tables.js'

interface Options {
  readonly limit: number
  readonly window: number
}

const module = {
  even: ({ limit, window }: Options) => ({
    most: (us: number) => Math.ceil((us * limit) / (window * 1000)),
    exact: true,
  }),
}
const guarantee = {
  make: 'even',
  options: { limit: 'N', window: 'W' },
  state: 'one number',
  choose: 'always',
  avoid: 'never',
}

describe('the tables of guarantees', () => {
  test('tell what the policies promise, for any N and for 10', () => {
    const tables = guaranteeTables([{ guarantee, link: '', module }])
    expect(tables).toContain(
      '| `even({ limit: N, window: W })` | N (10)   | ⌈N/100⌉ (1)  | yes   | one number     |',
    )
    expect(tables).toContain('| `even({ limit: N, window: W })` | always    | never |')
    expect(tables).toContain('In brackets for N = 10.')
  })

  test('change when a policy promises something else', () => {
    const doubled = {
      even: (options: Options) => ({
        ...module.even(options),
        most: (us: number) => 2 * module.even(options).most(us),
      }),
    }
    expect(guaranteeTables([{ guarantee, link: 'x', module: doubled }])).toContain('| 2N (20)  |')
  })

  test('link to the package where one is given', () => {
    const link = 'packages/algo-even'
    expect(guaranteeTables([{ guarantee, link, module }])).toContain(
      '| [`even({ limit: N, window: W })`](packages/algo-even) |',
    )
  })

  test('need no letters', () => {
    const once = { ...guarantee, options: { limit: 1, window: 'W' } }
    const tables = guaranteeTables([{ guarantee: once, link: '', module }])
    expect(tables).toContain('| `even({ limit: 1, window: W })` | 1        | 1            | yes ')
    expect(tables).not.toContain('In brackets')
  })

  test('cannot be made for a function that is not there', () => {
    expect(() =>
      guaranteeTables([{ guarantee: { ...guarantee, make: 'odd' }, link: '', module }]),
    ).toThrow('exports no function odd')
  })
})
