import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

// CONTRIBUTING.md walks through a small algorithm, file by file: it obeys all laws as it stands there. Memory and one
// Redis are enough to say so.

const page = readFileSync(new URL('../../../CONTRIBUTING.md', import.meta.url), 'utf8')
const folder = fileURLToPath(new URL(`../.reports/contributing-${process.pid}`, import.meta.url))
const matrix = fileURLToPath(new URL('../src/index.ts', import.meta.url))

mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, 'matrix.ts'),
  `import { benches, obeysAllLaws as onAll } from ${JSON.stringify(matrix)}
  const few = benches.filter(({ name }) => name === 'memory' || name === 'ioredis')
  export const obeysAllLaws = (policies) => onAll(policies, few)`,
)
for (const [, name = '', code = ''] of page.matchAll(
  /^`((?:src|test)\/[a-z.-]+)`.*?\n```\w+\n(.*?)^```$/gms,
)) {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, code.replace("'@spillway/matrix'", "'../matrix.js'"))
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

await import(/* @vite-ignore */ join(folder, 'test/laws.test.ts'))
