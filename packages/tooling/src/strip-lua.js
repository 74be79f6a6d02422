/**
 * Removes comments, blank lines and trailing spaces from Lua 5.1 source; strings and long brackets stay as they are.
 *
 * What a script says to readers is published beside the build, not sent to Redis.
 *
 * @param {string} source
 * @returns {string}
 */
export function stripLua(source) {
  const text = source.replaceAll('\r\n', '\n')
  /** @type {string[]} */
  const lines = []
  let line = ''
  let at = 0

  const endLine = () => {
    const kept = line.trimEnd()
    if (kept !== '') lines.push(kept)
    line = ''
  }

  while (at < text.length) {
    const char = text.charAt(at)
    if (char === '\n') {
      endLine()
      at += 1
    } else if (text.startsWith('--', at)) {
      const end = longBracketEnd(text, at + 2)
      if (end === undefined) {
        const newline = text.indexOf('\n', at)
        at = newline === -1 ? text.length : newline
      } else {
        // A long comment may stand between two words: `a--[[ ]]b` is `a b`.
        line += ' '
        at = end
      }
    } else {
      const end = stringEnd(text, at) ?? at + 1
      line += text.slice(at, end)
      at = end
    }
  }
  endLine()
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/**
 * Where the string that opens at `from` ends, or undefined when none opens there.
 *
 * @param {string} text
 * @param {number} from
 * @returns {number | undefined}
 */
function stringEnd(text, from) {
  const quote = text.charAt(from)
  if (quote === '[') return longBracketEnd(text, from)
  if (quote !== '"' && quote !== "'") return undefined
  let at = from + 1
  while (at < text.length) {
    if (text.charAt(at) === '\\') at += 2
    else if (text.charAt(at) === quote) return at + 1
    else if (text.charAt(at) === '\n') break
    else at += 1
  }
  throw new SyntaxError(`unfinished string in Lua source, line ${lineOf(text, from)}`)
}

/**
 * Where the long bracket (`[[ ]]`, `[=[ ]=]`) that opens at `from` ends, or undefined when none opens there.
 *
 * @param {string} text
 * @param {number} from
 * @returns {number | undefined}
 */
function longBracketEnd(text, from) {
  const open = /\[(=*)\[/y
  open.lastIndex = from
  const level = open.exec(text)?.[1]
  if (level === undefined) return undefined
  const close = `]${level}]`
  const end = text.indexOf(close, from + close.length)
  if (end === -1)
    throw new SyntaxError(`unfinished long bracket in Lua source, line ${lineOf(text, from)}`)
  return end + close.length
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {number}
 */
function lineOf(text, at) {
  return text.slice(0, at).split('\n').length
}
