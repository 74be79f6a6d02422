import { readmeExamples, readmeOutputs, runExample } from '@spillway/tooling/readme-examples'
import { expect, test } from 'vitest'

const readme = new URL('../README.md', import.meta.url)
const outputs = readmeOutputs(readme)

test.each(readmeExamples(readme).map((example, i) => ({ example, output: outputs[i] })))(
  'example %$ of the README runs, and prints what stands there',
  async ({ example, output }) => {
    const printed = await runExample(example, { folder: new URL('..', import.meta.url) })
    if (output !== undefined) expect(printed).toEqual(output)
  },
)
