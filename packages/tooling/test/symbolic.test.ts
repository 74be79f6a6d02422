import { describe, expect, test } from 'vitest'
import { symbolic } from '../src/symbolic.js'

type Numbers = Readonly<Record<string, number>>

describe('a promise is written as a sum', () => {
  test.each<[string, string, (numbers: Numbers) => number]>([
    ['N', 'N', ({ N = 0 }) => N],
    ['2N', 'N', ({ N = 0 }) => 2 * N],
    ['2N − 1', 'N', ({ N = 0 }) => 2 * N - 1],
    ['N + ⌈N/100⌉ − 1', 'N', ({ N = 0 }) => N + Math.ceil(N / 100) - 1],
    ['⌈N/100⌉', 'N', ({ N = 0 }) => Math.ceil(N / 100)],
    ['C + ⌈R/100⌉ − 1', 'CR', ({ C = 0, R = 0 }) => C + Math.ceil(R / 100) - 1],
    ['−N + 3', 'N', ({ N = 0 }) => 3 - N],
    ['7', 'N', () => 7],
    ['0', 'N', () => 0],
  ])('%s', (text, letters, answer) => {
    expect(symbolic(answer, letters.split(''))).toBe(text)
  })

  test('under what is given of two numbers, and not without', () => {
    const answer = ({ C = 0, R = 0 }: Numbers) => C + Math.min(R, C)
    expect(symbolic(answer, ['C', 'R'], 'R ≤ C')).toBe('C + R')
    const small = (n: Numbers) => (n.C === 1 ? 1 : answer(n))
    expect(symbolic(small, ['C', 'R'], '2 ≤ R ≤ C')).toBe('C + R')
    expect(() => symbolic(small, ['C', 'R'], 'R ≤ C')).toThrow('for {"R":1,"C":1} it is 1')
    expect(() => symbolic(answer, ['C', 'R'])).toThrow('no simple sum')
  })

  test('or refused if it is none', () => {
    expect(() => symbolic(({ N = 0 }) => N * N, ['N'])).toThrow('no simple sum')
    expect(() => symbolic(({ N = 0 }) => Math.ceil(N / 64), ['N'])).toThrow('no simple sum')
  })
})
