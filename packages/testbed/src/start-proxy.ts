import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from './eventually.js'
import { withFreePorts } from './free-ports.js'
import { readFrame } from './resp.js'
import { TestbedError } from './testbed-error.js'

/** A request as the server got it: the command in upper case, then its arguments. */
export type SeenRequest = readonly string[]

/** A TCP proxy between clients and one Redis, which understands just enough to lose replies on purpose. */
export interface RedisProxy {
  readonly host: string
  readonly port: number
  /** As the target's, with its user and password, if it was given with a `url`. */
  readonly url: string
  /** What was passed on to the server, oldest first, over all connections. A script's text is an argument like any other. */
  readonly seen: readonly SeenRequest[]
  /** How many clients are connected right now. */
  readonly connections: number
  /** How many connections `cutAfterRequest` has cut. */
  readonly cuts: number
  /** Half of it is added in each direction. Default: 0. For what arrives from now on; order is kept. */
  delayMs: number
  /** How often this command was passed on, in whatever case: `count('evalsha')`. */
  count(command: string): number
  /** Empties `seen`. */
  forget(): void
  /**
   * Executed, but the reply was lost: the next request that matches reaches the server, its reply is awaited and
   * dropped, and the connection is cut. Replies to earlier requests still arrive; requests sent after it on the same
   * connection reach nobody. Each call is good for one cut.
   *
   * @param match a command's name, in any case, or a pattern tried on the whole request joined by spaces
   */
  cutAfterRequest(match: string | RegExp): void
  /** Cuts every connection now; new ones are welcome. */
  cut(): void
  /** Connections are accepted and stay open, and nothing passes in either direction. */
  freeze(): void
  /** What was held back passes now, requests whose caller gave up meanwhile included. */
  thaw(): void
  /** Cuts every connection and refuses new ones, as a machine without a server does. */
  refuse(): Promise<void>
  /** Takes connections again, on the same port. */
  accept(): Promise<void>
  /** Cuts and refuses for good. May be called twice. */
  stop(): Promise<void>
}

export interface ProxyTarget {
  readonly host: string
  readonly port: number
  readonly url?: string
}

interface Wiring {
  readonly target: ProxyTarget
  readonly sockets: Set<Socket>
  readonly seen: string[][]
  /** Armed by `cutAfterRequest`, in order. */
  readonly doomed: (string | RegExp)[]
  isFrozen: boolean
  delayMs: number
  clients: number
  cuts: number
}

/** Starts a proxy on a free port of 127.0.0.1. It does not keep this process alive. RESP2, RESP3; no pub/sub in RESP2. */
export async function startProxy(target: ProxyTarget): Promise<RedisProxy> {
  const wiring: Wiring = {
    target,
    sockets: new Set(),
    seen: [],
    doomed: [],
    isFrozen: false,
    delayMs: 0,
    clients: 0,
    cuts: 0,
  }
  const server = createServer({ noDelay: true }, (client) => wire(client, wiring))
  server.unref()
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (cause: Error): void =>
        reject(new TestbedError('PORT_TAKEN', cause.message, { cause }))
      server.once('error', fail)
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        server.off('error', fail)
        resolve()
      })
    })
  await withFreePorts(1, ([port = 0]) => listen(port))
  const { port } = server.address() as AddressInfo

  const url = new URL(target.url ?? 'redis://127.0.0.1')
  url.hostname = '127.0.0.1'
  url.port = String(port)

  const cut = (): void => {
    for (const socket of wiring.sockets) socket.destroy()
  }
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      cut()
      server.close(() => resolve())
    })

  return {
    host: '127.0.0.1',
    port,
    url: url.href,
    get seen() {
      return wiring.seen
    },
    get connections() {
      return wiring.clients
    },
    get cuts() {
      return wiring.cuts
    },
    get delayMs() {
      return wiring.delayMs
    },
    set delayMs(delayMs) {
      wiring.delayMs = delayMs
    },
    count: (command) => wiring.seen.filter(([name]) => name === command.toUpperCase()).length,
    forget: () => void wiring.seen.splice(0),
    cutAfterRequest: (match) => void wiring.doomed.push(match),
    cut,
    freeze: () => {
      wiring.isFrozen = true
      for (const socket of wiring.sockets) socket.pause()
    },
    thaw: () => {
      wiring.isFrozen = false
      for (const socket of wiring.sockets) socket.resume()
    },
    refuse,
    accept: async () => {
      if (server.listening) return
      // Somebody else may sit on our port for a moment.
      await eventually(`port ${port} to be free again`, async () => {
        await listen(port).catch((cause: unknown) => {
          throw new Error('not yet', { cause })
        })
        return true
      })
      server.unref()
    },
    stop: refuse,
  }
}

function wire(client: Socket, wiring: Wiring): void {
  const server = connect({ ...address(wiring.target), noDelay: true })
  // What each request still waiting for its reply gets: a doomed one, nothing but the end of the connection.
  const waiting: { doomed: boolean }[] = []
  let isDoomed = false

  const toServer = inOrder(wiring)
  const toClient = inOrder(wiring)
  const cutBoth = (): void => {
    client.destroySoon()
    server.destroySoon()
  }

  onFrames(client, (bytes, frames) => {
    let end = 0
    for (const frame of frames) {
      if (isDoomed) break
      end = frame.end
      const request = requestOf(frame.value)
      const index = wiring.doomed.findIndex((match) => matches(match, request))
      if (index >= 0) {
        wiring.doomed.splice(index, 1)
        isDoomed = true
      }
      waiting.push({ doomed: index >= 0 })
      toServer(() => void wiring.seen.push(request))
    }
    const passed = bytes.subarray(0, end)
    if (end > 0) toServer(() => void server.write(passed))
  })

  onFrames(server, (bytes, frames) => {
    let end = 0
    for (const frame of frames) {
      if (!frame.push && waiting.shift()?.doomed) {
        const before = bytes.subarray(0, end)
        toClient(() => {
          wiring.cuts += 1
          client.write(before)
          cutBoth()
        })
        return
      }
      end = frame.end
    }
    const passed = bytes.subarray(0, end)
    if (end > 0) toClient(() => void client.write(passed))
  })

  wiring.clients += 1
  for (const socket of [client, server]) {
    wiring.sockets.add(socket)
    if (wiring.isFrozen) socket.pause()
    socket.unref()
    // Errors end in 'close', which is all the other side has to know.
    socket.on('error', () => undefined)
    socket.on('close', () => wiring.sockets.delete(socket))
  }
  client.on('close', () => {
    wiring.clients -= 1
    toServer(() => server.destroySoon())
  })
  server.on('close', () => toClient(() => client.destroySoon()))
}

interface PassedFrame {
  readonly value: unknown
  readonly end: number
  readonly push: boolean
}

/** Calls back with the complete messages of a socket and the bytes they are in; the rest waits for more. */
function onFrames(
  socket: Socket,
  onBytes: (bytes: Buffer, frames: readonly PassedFrame[]) => void,
): void {
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const frames: PassedFrame[] = []
    let end = 0
    try {
      for (let frame = readFrame(pending, 0); frame; frame = readFrame(pending, end)) {
        frames.push(frame)
        end = frame.end
      }
    } catch {
      // Not RESP: whoever speaks it, this proxy cannot help them.
      socket.destroy()
      return
    }
    const complete = pending.subarray(0, end)
    pending = pending.subarray(end)
    if (frames.length > 0) onBytes(complete, frames)
  })
}

/** Runs actions one after another, each no sooner than half the delay after it was asked for. */
function inOrder(wiring: Wiring): (action: () => void) => void {
  let last: Promise<void> | undefined
  return (action) => {
    const delayMs = wiring.delayMs / 2
    if (delayMs === 0 && last === undefined) {
      action()
      return
    }
    const due = performance.now() + delayMs
    const mine = (last ?? Promise.resolve()).then(async () => {
      const leftMs = due - performance.now()
      if (leftMs > 0) await sleep(leftMs)
      action()
      if (last === mine) last = undefined
    })
    last = mine
  }
}

function requestOf(value: unknown): string[] {
  const [name = '', ...args] = Array.isArray(value) ? value.map(String) : [String(value)]
  return [name.toUpperCase(), ...args]
}

function matches(match: string | RegExp, request: readonly string[]): boolean {
  if (typeof match === 'string') return request[0] === match.toUpperCase()
  // A sticky or global pattern remembers where it stopped.
  match.lastIndex = 0
  return match.test(request.join(' '))
}

function address({ host, port }: ProxyTarget): { host: string; port: number } {
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
