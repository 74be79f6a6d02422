import { readFileSync } from 'node:fs'
import { runExample } from '@spillway/tooling/readme-examples'
import { expect, test } from 'vitest'

const folder = new URL('../', import.meta.url)

test('the example of a login slows down guesses per account and per address, and success clears the account', async () => {
  const example = readFileSync(new URL('examples/login.js', folder), 'utf8')
  expect(await runExample(example, { folder })).toEqual([
    'alice wrong password',
    'alice wrong password',
    'alice wrong password',
    'alice wrong password',
    'alice welcome',
    'alice wrong password',
    'alice wrong password',
    'alice wrong password',
    'alice wrong password',
    'alice wrong password',
    'alice slow down: too many attempts for this account',
    'others wrong password',
    'others slow down: too many attempts for this address',
  ])
})
