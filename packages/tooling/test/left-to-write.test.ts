import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { leftToWrite } from '../src/left-to-write.js'

const template = new URL('../templates/algorithm/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, template), 'utf8')

describe('what is left to write', () => {
  test('is told by file and line', () => {
    const text = '# Title\n\nTODO: what it does.\n\n- and TODO: what it costs'
    expect(leftToWrite('x/README.md', text)).toEqual([
      'x/README.md:3: TODO: what it does.',
      'x/README.md:5: TODO: what it costs',
    ])
  })

  test('is nothing in a finished page', () => {
    expect(leftToWrite('README.md', '# Title\n\nAll there is to do is done.\n')).toEqual([])
  })

  test('is something in every section of a new README, but for the example, which runs as it is', () => {
    const sections = read('README.md').split(/^#+ /m).slice(1)
    const unwritten = sections.filter((text) => leftToWrite('', text).length > 0)
    expect(unwritten.map((text) => text.split('\n')[0])).toEqual([
      '@spillway/algo-template-rule',
      'When to use it, and when not',
      'Guarantee',
      'Options',
      'Stored format',
      'Cost',
    ])
  })

  test('is every sentence of the guarantees of a new algorithm', () => {
    expect(leftToWrite('guarantees.json', read('guarantees.json'))).toHaveLength(3)
  })
})
