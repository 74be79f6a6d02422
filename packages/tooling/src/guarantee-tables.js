import { symbolic } from './symbolic.js'

/**
 * What an algorithm's folder says in `guarantees.json`, for each way to use it that promises something of its own.
 *
 * @typedef {object} Guarantee
 * @property {string} make the exported function that makes the policy
 * @property {Readonly<Record<string, string | number>>} options as for that function, with `W` for the window and other
 *   single letters for numbers
 * @property {string} [given] what must hold of two of these numbers, as `R ≤ C` or `2 ≤ R ≤ C`
 * @property {string} state what is stored of a key, in words
 * @property {string} choose when to choose it
 * @property {string} avoid when not to
 */

/** @typedef {{ most(intervalUs: number): number, exact: boolean }} Promised what a policy promises: see `Policy` of core */

/** @typedef {{ guarantee: Guarantee, link: string, module: Readonly<Record<string, unknown>> }} Row with what to import */

// Long enough for any rate tried to be held in whole numbers.
const windowMs = 3_600_000

/**
 * The tables of what algorithms promise and of when to choose which. The promises are asked of the algorithms themselves.
 *
 * @param {readonly Row[]} rows
 * @returns {string} Markdown
 */
export function guaranteeTables(rows) {
  const letters = [...new Set(rows.flatMap(({ guarantee }) => lettersOf(guarantee)))]
  const promises = rows.map((row) => [
    nameOf(row),
    promiseOf(row, 1),
    promiseOf(row, 100),
    exactOf(row) ? 'yes' : 'no',
    row.guarantee.state,
  ])
  const choices = rows.map((row) => [nameOf(row), row.guarantee.choose, row.guarantee.avoid])
  const brackets = `In brackets for ${letters.map((letter) => `${letter} = `).join('')}10. `
  return [
    [
      'The most that any interval admits, wherever it starts: one as long as the window W, and one of a hundredth of it.',
      `${letters.length > 0 ? brackets : ''}Exact: it denies nothing that this promise would bear.`,
    ].join('\n'),
    table(['', 'in any W', 'in any W/100', 'exact', 'state of a key'], promises),
    table(['', 'choose it', 'not'], choices),
  ].join('\n\n')
}

/** @param {Row} row */
function nameOf({ guarantee: { make, options, given }, link }) {
  const shown = Object.entries(options).map(([name, value]) =>
    typeof value === 'string' && !isLetter(value) ? `${name}: '${value}'` : `${name}: ${value}`,
  )
  const call = `\`${make}({ ${shown.join(', ')} })\``
  const linked = link === '' ? call : `[${call}](${link})`
  return given === undefined ? linked : `${linked}, ${given}`
}

/**
 * @param {Row} row
 * @param {number} parts of the window
 */
function promiseOf(row, parts) {
  const letters = lettersOf(row.guarantee)
  const most = (/** @type {Readonly<Record<string, number>>} */ numbers) =>
    policyOf(row, numbers).most((windowMs * 1000) / parts)
  const tens = Object.fromEntries(letters.map((letter) => [letter, 10]))
  const sum = symbolic(most, letters, row.guarantee.given)
  return letters.length > 0 ? `${sum} (${most(tens)})` : sum
}

/** @param {Row} row */
function exactOf(row) {
  return policyOf(row, Object.fromEntries(lettersOf(row.guarantee).map((letter) => [letter, 10])))
    .exact
}

/**
 * @param {Row} row
 * @param {Readonly<Record<string, number>>} numbers
 * @returns {Promised}
 */
function policyOf({ guarantee: { make, options }, module }, numbers) {
  const values = { ...numbers, W: windowMs }
  const given = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      Object.entries(values).find(([letter]) => letter === value)?.[1] ?? value,
    ]),
  )
  const factory = module[make]
  if (typeof factory !== 'function') throw new Error(`the package exports no function ${make}`)
  return factory(given)
}

/** @param {Guarantee} guarantee */
function lettersOf({ options }) {
  return Object.values(options)
    .filter((value) => typeof value === 'string' && isLetter(value) && value !== 'W')
    .map(String)
}

/** @param {string | number} value */
function isLetter(value) {
  return /^[A-Z]$/.test(String(value))
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(head, rows) {
  const widths = head.map((title, i) =>
    Math.max(3, title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}
