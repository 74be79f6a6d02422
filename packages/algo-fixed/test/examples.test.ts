import { readFileSync } from 'node:fs'
import { type RedisServer, startRedis } from '@spillway/testbed'
import { runExample } from '@spillway/tooling/readme-examples'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = new URL('../', import.meta.url)
let server: RedisServer

beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

test('the example of tenants tells a burst from a used-up day', async () => {
  const example = readFileSync(new URL('examples/tenants.js', folder), 'utf8')
  const replace = { 'redis://localhost:6379': server.url }
  expect(await runExample(example, { folder, replace })).toEqual([
    'ann: ok, left 5 a day, 2 at once',
    'ann: ok, left 4 a day, 1 at once',
    'ann: ok, left 3 a day, 0 at once',
    'ann: denied by burst, left 3 a day, 0 at once',
    'bob: ok, left 2 a day, 2 at once',
    'bob: ok, left 1 a day, 1 at once',
    'bob: ok, left 0 a day, 0 at once',
    'cleo: denied by daily, left 0 a day, 3 at once',
    'cleo: ok, left 99993 a day, 99 at once',
    'ann: denied by burst, left 99993 a day, 0 at once',
  ])
})
