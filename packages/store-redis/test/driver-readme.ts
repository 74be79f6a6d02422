import { readFileSync } from 'node:fs'
import { readmeExamples } from '@spillway/tooling/readme-examples'
import { expect, test } from 'vitest'

/** What an adapter's README says of changing to another driver. */
export function changesByTwoLines(readme: URL, other: URL): void {
  test('another driver is one import and one line of the example, as its own README has them', () => {
    const [, diff = ''] = /^```diff\n(.*?)^```$/ms.exec(readFileSync(readme, 'utf8')) ?? []
    const lines = (sign: string) =>
      diff.split('\n').flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : []))
    for (const [sign, of] of [
      ['-', readme],
      ['+', other],
    ] as const) {
      const shown = lines(sign)
      expect(shown).toEqual([
        expect.stringMatching(/^import /),
        expect.stringMatching(/^ {2}store: /),
      ])
      expect(readmeExamples(of)[0]!.split('\n')).toEqual(expect.arrayContaining(shown))
    }
  })
}
