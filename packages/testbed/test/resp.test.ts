import { expect, test } from 'vitest'
import { readFrame } from '../src/resp.js'

const MESSAGES: readonly (readonly [wire: string, value: unknown])[] = [
  ['+OK\r\n', 'OK'],
  [':-7\r\n', -7],
  ['$5\r\nh\r\nlo\r\n', 'h\r\nlo'],
  ['$0\r\n\r\n', ''],
  ['$-1\r\n', null],
  ['*-1\r\n', null],
  ['*0\r\n', []],
  ['*2\r\n*1\r\n:1\r\n$1\r\na\r\n', [[1], 'a']],
  ['_\r\n', null],
  ['#t\r\n', true],
  [',1.5\r\n', 1.5],
  ['(12345678901234567890\r\n', '12345678901234567890'],
  ['=7\r\ntxt:abc\r\n', 'abc'],
  ['~1\r\n:1\r\n', [1]],
  ['%1\r\n+a\r\n:1\r\n', ['a', 1]],
  ['|1\r\n+ttl\r\n:1\r\n+value\r\n', 'value'],
]

test.each(MESSAGES)('%j is read once it is whole, and not before', (wire, value) => {
  const bytes = Buffer.from(`:0\r\n${wire}+next\r\n`)
  const end = 4 + Buffer.byteLength(wire)
  expect(readFrame(bytes, 4)).toMatchObject({ value, end })
  for (let length = 4; length < end; length += 1) {
    expect(readFrame(bytes.subarray(0, length), 4)).toBeUndefined()
  }
})

test('an error is found at any depth', () => {
  expect(readFrame(Buffer.from('-MOVED 1 a:1\r\n'), 0)?.error).toBe('MOVED 1 a:1')
  expect(readFrame(Buffer.from('*2\r\n:1\r\n*1\r\n-ERR deep\r\n'), 0)?.error).toBe('ERR deep')
})

test('a push answers no request', () => {
  expect(readFrame(Buffer.from('>1\r\n+invalidate\r\n'), 0)?.push).toBe(true)
  expect(readFrame(Buffer.from('*1\r\n+invalidate\r\n'), 0)?.push).toBe(false)
})

test('what is no RESP is refused', () => {
  expect(() => readFrame(Buffer.from('HTTP/1.1 200 OK\r\n'), 0)).toThrow(/^not RESP/)
})
