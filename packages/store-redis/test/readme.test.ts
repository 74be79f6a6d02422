import { type OwnRedis, startRedis } from '@spillway/testbed'
import { readmeExamples, runExample } from '@spillway/tooling/readme-examples'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = new URL('../', import.meta.url)
const [first] = readmeExamples(new URL('README.md', folder))
let server: OwnRedis

beforeAll(async () => {
  server = await startRedis({ own: true })
})
afterAll(() => server.stop())

test('the first example of the README works as it stands', async () => {
  const replace = { 'redis://localhost:6379': server.url }
  const printed = await runExample(first!, { folder, replace })
  expect(printed).toEqual(['true 1', 'true 0', 'false 0'])
})
