import { type OwnRedis, startRedis } from '@spillway/testbed'
import { readmeExamples, runExample } from '@spillway/tooling/readme-examples'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesByTwoLines } from '../../store-redis/test/driver-readme.js'

const folder = new URL('../', import.meta.url)
const readme = new URL('README.md', folder)
const [first, second] = readmeExamples(readme)
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

test('and so does the one with the recommended options', async () => {
  expect(await runExample(second!, { folder })).toEqual(['false false false'])
})

changesByTwoLines(readme, new URL('../adapter-ioredis/README.md', folder))
