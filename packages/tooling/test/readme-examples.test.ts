import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readmeExamples, runExample } from '../src/readme-examples.js'

const folder = new URL('../', import.meta.url)
let scratch: string
let readme: URL

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'spillway-readme-'))
  readme = pathToFileURL(join(scratch, 'README.md'))
  const first =
    "import { durationMs } from '@spillway/core'\n\nconsole.log(durationMs('window', '2s'))\n"
  const second = "const where: string = 'here'\nconsole.log('at', where)\n"
  writeFileSync(
    readme,
    `# A\n\n\`\`\`sh\nnpm i\n\`\`\`\n\n\`\`\`ts\n${first}\`\`\`\n\n\`\`\`ts\n${second}\`\`\`\n`,
  )
})

afterAll(() => {
  rmSync(scratch, { recursive: true })
})

test('finds the examples of a README and runs them as they stand', async () => {
  const [first, second, ...others] = readmeExamples(readme)
  expect(others).toEqual([])
  expect(await runExample(first!, { folder })).toEqual(['2000'])
  expect(await runExample(second!, { folder })).toEqual(['at here'])
})

test('replaces what stands for something else, and says when it is not there', async () => {
  const [, second] = readmeExamples(readme)
  const replace = { "'here'": "'there'" }
  expect(await runExample(second!, { folder, replace })).toEqual(['at there'])
  const missing = { nowhere: '' }
  await expect(runExample(second!, { folder, replace: missing })).rejects.toThrow('nowhere')
})

test('an example that throws is an error, and printing goes on as before', async () => {
  const { log } = console
  await expect(runExample("throw new Error('no')", { folder })).rejects.toThrow('no')
  expect(console.log).toBe(log)
})
