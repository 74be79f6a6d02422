/** A reply in JavaScript: statuses and bulk strings are both strings (UTF-8). Maps come flat, as in RESP2. */
export type Reply = string | number | boolean | null | readonly Reply[]

/** One complete message: `end` is the offset behind it. */
export interface Frame {
  readonly value: Reply
  readonly end: number
  /** The first error found in it, at any depth. */
  readonly error?: string
  /** Out of band (RESP3): answers no request. */
  readonly push: boolean
}

/**
 * Reads the message that starts at `start`, in RESP2 or RESP3; undefined when its end has not arrived yet.
 *
 * @throws Error for bytes that are no RESP. Source: the Redis protocol specification
 */
export function readFrame(bytes: Buffer, start: number): Frame | undefined {
  const lineEnd = bytes.indexOf('\r\n', start)
  if (lineEnd < 0) return undefined
  const type = String.fromCharCode(bytes[start] ?? 0)
  const line = bytes.toString('utf8', start + 1, lineEnd)
  const next = lineEnd + 2
  switch (type) {
    case '+':
    case '(':
      return { value: line, end: next, push: false }
    case '-':
      return { value: line, end: next, error: line, push: false }
    case ':':
    case ',':
      return { value: Number(line), end: next, push: false }
    case '#':
      return { value: line === 't', end: next, push: false }
    case '_':
      return { value: null, end: next, push: false }
    case '$':
    case '=':
    case '!':
      return readBulk(bytes, type, Number(line), next)
    case '*':
    case '~':
    case '>':
      return readItems(bytes, Number(line), next, type === '>')
    case '%':
      return readItems(bytes, 2 * Number(line), next, false)
    case '|': {
      // Attributes come before the reply they describe.
      const attributes = readItems(bytes, 2 * Number(line), next, false)
      return attributes && readFrame(bytes, attributes.end)
    }
    default:
      throw new Error(`not RESP: ${JSON.stringify(type + line)}`)
  }
}

function readBulk(bytes: Buffer, type: string, length: number, start: number): Frame | undefined {
  if (length < 0) return { value: null, end: start, push: false }
  const end = start + length + 2
  if (bytes.length < end) return undefined
  const text = bytes.toString('utf8', start, end - 2)
  if (type === '!') return { value: text, end, error: text, push: false }
  // A verbatim string names its format first: `txt:`.
  return { value: type === '=' ? text.slice(4) : text, end, push: false }
}

function readItems(bytes: Buffer, count: number, start: number, push: boolean): Frame | undefined {
  if (count < 0) return { value: null, end: start, push }
  const items: Reply[] = []
  let end = start
  let error: string | undefined
  for (let i = 0; i < count; i += 1) {
    const item = readFrame(bytes, end)
    if (!item) return undefined
    items.push(item.value)
    end = item.end
    error ??= item.error
  }
  return { value: items, end, push, ...(error === undefined ? {} : { error }) }
}
