import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Reply, readFrame } from './resp.js'
import { TestbedError } from './testbed-error.js'

/**
 * Sends one command over a connection of its own, and returns the reply (RESP2).
 *
 * For setting scenes, never for measuring. A connection per command survives every kill and restart without any state.
 *
 * @param url `redis://` or `rediss://`, with user, password and database number as drivers read them
 * @throws TestbedError `REPLY` when Redis answers with an error, wherever in the reply; `UNREACHABLE`; `TIMEOUT`
 */
export function redisCommand(
  url: string,
  args: readonly (string | number)[],
  timeoutMs = 30_000,
): Promise<Reply> {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const commands: (readonly (string | number)[])[] = []
  if (password !== '') {
    const name = username === '' ? [] : [decodeURIComponent(username)]
    commands.push(['AUTH', ...name, decodeURIComponent(password)])
  }
  const database = pathname.slice(1)
  if (database !== '' && database !== '0') commands.push(['SELECT', database])
  commands.push(args)

  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const address = { host, port: Number(port || 6379) }
    const socket = protocol === 'rediss:' ? connectTls(address) : connect(address)
    let received: Buffer = Buffer.alloc(0)
    let answered = 0
    const fail = (code: 'REPLY' | 'UNREACHABLE' | 'TIMEOUT', message: string, cause?: unknown) => {
      reject(new TestbedError(code, message, { cause }))
      socket.destroy()
    }
    socket.setTimeout(timeoutMs, () =>
      fail('TIMEOUT', `no reply to ${String(args[0])} within ${timeoutMs} ms`),
    )
    socket.on('error', (error) => fail('UNREACHABLE', error.message, error))
    socket.on('close', () =>
      fail('UNREACHABLE', `connection closed before ${String(args[0])} was answered`),
    )
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      for (;;) {
        const frame = readFrame(received, 0)
        if (!frame) return
        if (frame.error !== undefined) return fail('REPLY', frame.error)
        received = received.subarray(frame.end)
        answered += 1
        if (answered === commands.length) {
          resolve(frame.value)
          socket.destroy()
          return
        }
      }
    })
    socket.write(commands.map(encode).join(''))
  })
}

function encode(args: readonly (string | number)[]): string {
  const parts = args.map((arg) => `$${Buffer.byteLength(String(arg))}\r\n${String(arg)}\r\n`)
  return `*${args.length}\r\n${parts.join('')}`
}
