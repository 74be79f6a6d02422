import { readFileSync } from 'node:fs'
import { runExample } from '@spillway/tooling/readme-examples'
import { expect, test } from 'vitest'

const folder = new URL('../', import.meta.url)

test('the example of outbound calls paces them, and lets go of those who do not wait', async () => {
  const example = readFileSync(new URL('examples/outbound-pacing.js', folder), 'utf8')
  expect(await runExample(example, { folder })).toEqual([
    'sent one',
    'urgent: TIMED_OUT',
    'abandoned: the page was closed',
    'sent two',
    'sent three',
    'sent four',
    'sent five',
    'sent six',
    'the sixth turn came 250 ms after the first',
  ])
})
