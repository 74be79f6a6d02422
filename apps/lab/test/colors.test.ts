import { afterEach, expect, test, vi } from 'vitest'
import { colorsFor } from '../src/colors.js'

const stream = (isTTY: boolean) => ({ isTTY }) as NodeJS.WriteStream

afterEach(() => vi.unstubAllEnvs())

test('a terminal gets colours', () => {
  vi.stubEnv('NO_COLOR', undefined)
  vi.stubEnv('TERM', 'xterm')
  expect(colorsFor(stream(true)).isColorSupported).toBe(true)
})

test.each([
  ['a pipe, even in CI', false, 'CI', '1'],
  ['a terminal that shows none', true, 'TERM', 'dumb'],
  ['who wants none', true, 'NO_COLOR', '1'],
])('%s gets none', (_, isTTY, name, value) => {
  vi.stubEnv(name, value)
  expect(colorsFor(stream(isTTY)).bold('text')).toBe('text')
})
