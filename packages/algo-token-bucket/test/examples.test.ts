import { readFileSync } from 'node:fs'
import { runExample } from '@spillway/tooling/readme-examples'
import { expect, test } from 'vitest'

const folder = new URL('../', import.meta.url)

test('the example of tokens for a language model settles what calls really took', async () => {
  const example = readFileSync(new URL('examples/llm-tokens.js', folder), 'utf8')
  expect(await runExample(example, { folder })).toEqual([
    'Short? Certainly.',
    'the model is overloaded',
    'Long? Certainly.',
    'not enough tokens, come back in 25 s',
  ])
})
