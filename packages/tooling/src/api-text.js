import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * The public types of a built package as one text to review: `index.d.ts` and every own file it reaches.
 *
 * @param {string} dist the folder of the emitted `.d.ts` files
 * @returns {string}
 */
export function apiText(dist) {
  /** @type {Map<string, string>} */
  const files = new Map()
  /** @param {string} file */
  const visit = (file) => {
    if (files.has(file)) return
    const text = readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '')
    files.set(file, text.trimEnd())
    for (const [, from = ''] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
      visit(join(dirname(file), from.replace(/\.(js|ts)$/, '.d.ts')))
  }
  visit(join(dist, 'index.d.ts'))
  const parts = [...files].map(
    ([file, text]) => `// ${relative(dist, file).replaceAll('\\', '/')}\n\n${text}\n`,
  )
  return parts.join('\n')
}
