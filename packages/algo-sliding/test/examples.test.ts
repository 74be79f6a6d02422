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

test('the example of an HTTP API lets five requests through, and then none', async () => {
  const example = readFileSync(new URL('examples/api-limit.js', folder), 'utf8')
  const replace = { 'redis://localhost:6379': server.url }
  expect(await runExample(example, { folder, replace })).toEqual([
    '200 Hello 4',
    '200 Hello 3',
    '200 Hello 2',
    '200 Hello 1',
    '200 Hello 0',
    '429 Too many requests 0',
    '429 Too many requests 0',
  ])
})
