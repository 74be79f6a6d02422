import { existsSync, readFileSync } from 'node:fs'
import { type RedisServer, startRedis } from '@spillway/testbed'
import { readmeExamples, readmeOutputs, runExample } from '@spillway/tooling/readme-examples'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const readme = new URL('README.md', root)
const text = readFileSync(readme, 'utf8')
const outputs = readmeOutputs(readme)
let server: RedisServer

beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server?.stop())

describe('of the README at the top,', () => {
  const examples = readmeExamples(readme)

  test.each(examples.map((example, i) => ({ example, output: outputs[i] })))(
    'example %$ runs, and prints what stands there',
    async ({ example, output }) => {
      const address = 'redis://localhost:6379'
      const printed = await runExample(example, {
        folder: new URL('..', import.meta.url),
        replace: example.includes(address) ? { [address]: server.url } : {},
      })
      expect(printed).toEqual(output ?? [expect.stringMatching(/^(go ahead, 99 left|true \d+)$/)])
    },
  )

  test('the tables of packages name what is published', () => {
    const named = [...text.matchAll(/^\| \[`@spillway\/([a-z-]+)`\]/gm)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(5)
    for (const name of named) {
      const manifest = readFileSync(new URL(`packages/${name}/package.json`, root), 'utf8')
      expect(JSON.parse(manifest)).not.toHaveProperty('private')
    }
  })

  test('the diff of drivers is what differs between the two examples', () => {
    const diff = [...text.matchAll(/^```diff\n(.*?)^```/gms)].flatMap(([, lines = '']) =>
      lines.trimEnd().split('\n'),
    )
    const [ioredis, nodeRedis] = examples.filter((example) => example.includes('redis://'))
    for (const line of diff) {
      const [own, other] = line.startsWith('-') ? [ioredis, nodeRedis] : [nodeRedis, ioredis]
      expect(own?.split('\n')).toContain(line.slice(1))
      expect(other?.split('\n')).not.toContain(line.slice(1))
    }
  })
})

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'])(
  'every link of %s leads somewhere',
  (name) => {
    const links = [...readFileSync(new URL(name, root), 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !link.startsWith('http'))
    expect(links.filter((link) => !existsSync(new URL(link, root)))).toEqual([])
  },
)
