/**
 * Puts text between the marks `<!-- name:start -->` and `<!-- name:end -->` of a document.
 *
 * @param {string} document
 * @param {string} name
 * @param {string} text
 * @returns {string} the document with it
 * @throws Error if the document does not have each mark once, in this order
 */
export function withMarkedBlock(document, name, text) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const [before, rest, ...more] = document.split(start)
  const [old, after, ...evenMore] = rest?.split(end) ?? []
  if (old === undefined || after === undefined || more.length + evenMore.length > 0) {
    throw new Error(`there must be one ${start} and behind it one ${end}`)
  }
  return `${before}${start}\n\n${text.trim()}\n\n${end}${after}`
}
