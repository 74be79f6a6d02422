import { DOMParser } from '@xmldom/xmldom'
import { describe, expect, test } from 'vitest'
import { compareSvg } from '../src/compare-svg.js'
import { xmlElement, xmlText } from '../src/xml.js'
import { fakeRun } from './fake-run.js'

/** Reads XML as strictly as the parser can. */
function parsed(xml: string) {
  const onError = (_: string, message: string): never => {
    throw new Error(message)
  }
  return new DOMParser({ onError }).parseFromString(xml, 'text/xml')
}

describe('the picture', () => {
  const texts = (svg: string) =>
    [...parsed(svg).getElementsByTagName('text')].map(({ textContent }) => textContent)

  test('is well-formed, of the size it says, with a title and a description', () => {
    const root = parsed(compareSvg(fakeRun())).documentElement!
    expect(root.localName).toBe('svg')
    expect(root.namespaceURI).toBe('http://www.w3.org/2000/svg')
    const [width, height] = [root.getAttribute('width'), root.getAttribute('height')]
    expect(root.getAttribute('viewBox')).toBe(`0 0 ${width} ${height}`)
    expect(root.getElementsByTagName('title')[0]!.textContent).toContain('10 per 10 s')
    expect(root.getElementsByTagName('desc')[0]!.textContent).toContain(
      'slidingWindow: 12 admitted in the worst window, 10 promised.',
    )
  })

  test('has a chart of each algorithm, marked where more got through than was promised', () => {
    const paths = [...parsed(compareSvg(fakeRun())).getElementsByTagName('path')]
    expect(paths.map((path) => path.getAttribute('class'))).toEqual(['area', 'area broken'])
    expect(paths[0]!.getAttribute('d')).toMatch(/^M34 126H34V[\d.]+H[\d.]+V126Z$/)
  })

  test('says what was measured, and leaves out what was not', () => {
    const shown = texts(compareSvg(fakeRun({ bytesPerKey: null })))
    expect(shown).toContain('any 10 s: 20 of 20 promised')
    expect(shown).toContain('120 bytes a key · 1.50 µs a decision')
    expect(shown.filter((text) => text?.includes('bytes'))).toHaveLength(1)
  })

  test('is well-formed whatever an algorithm is called', () => {
    const name = `<a href="x">&amp; ]]> ' \u0000\u001b\ud800`
    const svg = compareSvg(fakeRun({ name }))
    expect(texts(svg)).toContain(`<a href="x">&amp; ]]> ' `)
  })
})

test('XML: attributes and texts come back as they were', () => {
  const value = `a<b>&"'c]]>`
  const root = parsed(xmlElement('e', { a: value, n: 1 }, xmlText(value))).documentElement!
  expect(root.getAttribute('a')).toBe(value)
  expect(root.getAttribute('n')).toBe('1')
  expect(root.textContent).toBe(value)
  expect(xmlElement('e', {})).toBe('<e/>')
})
