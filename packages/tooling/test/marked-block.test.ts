import { expect, test } from 'vitest'
import { withMarkedBlock } from '../src/marked-block.js'

const start = '<!-- table:start -->'
const end = '<!-- table:end -->'

test('what stands between the marks is replaced, and nothing else', () => {
  const document = `before\n${start}\nold\n${end}\nafter`
  const replaced = withMarkedBlock(document, 'table', 'new\n')
  expect(replaced).toBe(`before\n${start}\n\nnew\n\n${end}\nafter`)
  expect(withMarkedBlock(replaced, 'table', 'new')).toBe(replaced)
})

test('a document without the marks, or with too many, is refused', () => {
  for (const document of ['', start, `${end}${start}`, `${start}${end}${start}${end}`]) {
    expect(() => withMarkedBlock(document, 'table', 'new')).toThrow('there must be one')
  }
})
