import { expect, test } from 'vitest'
import { stripLua } from '../src/strip-lua.js'

const cases: readonly [law: string, source: string, stripped: string][] = [
  ['drops whole lines of comment', '-- one\n-- two\nreturn 1\n', 'return 1\n'],
  ['drops a comment after code', 'local a = 1 -- first\nreturn a', 'local a = 1\nreturn a\n'],
  ['keeps dashes in double quotes', 'return "a -- b"\n', 'return "a -- b"\n'],
  ['keeps dashes in single quotes', "return 'a -- b' -- c\n", "return 'a -- b'\n"],
  ['knows escaped quotes', "return 'it\\'s -- b' -- c\n", "return 'it\\'s -- b'\n"],
  ['knows an escaped backslash', "return '\\\\' -- c\n", "return '\\\\'\n"],
  ['knows a quote of the other kind', `return "it's" -- c\n`, `return "it's"\n`],
  ['knows an escaped line break', "return 'a\\\n-- b' -- c\n", "return 'a\\\n-- b'\n"],
  ['keeps long strings as they are', 'return [[\n-- a  \n\n]] -- b\n', 'return [[\n-- a  \n\n]]\n'],
  ['knows levels of long strings', 'return [==[ ]] -- ]==] -- b\n', 'return [==[ ]] -- ]==]\n'],
  ['drops long comments', '--[[ a\nb ]]\nreturn 1\n', 'return 1\n'],
  ['drops long comments with levels', '--[=[ ]] \n]=]return 1\n', ' return 1\n'],
  ['keeps words apart', 'return--[[ a ]]1\n', 'return 1\n'],
  ['reads --[ as a short comment', '--[ a ]\nreturn 1\n', 'return 1\n'],
  ['leaves an index alone', 'return a[b[1]] - -1\n', 'return a[b[1]] - -1\n'],
  ['takes carriage returns', 'return 1 -- a\r\n\r\n', 'return 1\n'],
  ['takes a comment without a last line break', 'return 1\n-- end', 'return 1\n'],
  ['makes nothing of nothing', '-- only words\n', ''],
]

test.each(cases)('%s', (_law, source, stripped) => {
  expect(stripLua(source)).toBe(stripped)
})

test('is done after one pass', () => {
  for (const [, source] of cases) expect(stripLua(stripLua(source))).toBe(stripLua(source))
})

test.each([
  ["\nreturn 'a\n", 'unfinished string in Lua source, line 2'],
  ['return "a', 'unfinished string in Lua source, line 1'],
  ['\n\nreturn [[ a', 'unfinished long bracket in Lua source, line 3'],
  ['--[==[ a ]]', 'unfinished long bracket in Lua source, line 1'],
])('refuses what Lua would not load: %j', (source, message) => {
  expect(() => stripLua(source)).toThrow(new SyntaxError(message))
})
