import { readmeExamples, runExample } from '@spillway/tooling/readme-examples'

const folder = new URL('../', import.meta.url)

// Each example makes tests of its own, which run here.
for (const example of readmeExamples(new URL('README.md', folder))) {
  await runExample(example, { folder })
}
