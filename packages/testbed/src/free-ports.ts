import { createServer } from 'node:net'
import { TestbedError } from './testbed-error.js'

// Below every system's range for outgoing connections, so that none of those takes a port while its server restarts; and
// a cluster's bus (10,000 above its port) stays below it too.
const FIRST_PORT = 11_000
const LAST_PORT = 21_999
const BUS_OFFSET = 10_000
const TRIES = 20

const given = new Set<number>()

/**
 * Runs `use` with ports nobody listens on, again with others when it fails with `PORT_TAKEN`: between our look and the
 * server's bind another process may be quicker, which only the bind itself can tell.
 */
export async function withFreePorts<T>(
  count: number,
  use: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const ports: number[] = []
    while (ports.length < count) ports.push(await freePort())
    try {
      return await use(ports)
    } catch (error) {
      const taken = error instanceof TestbedError && error.code === 'PORT_TAKEN'
      if (!taken || tries === TRIES) throw error
    }
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1))
    if (given.has(port) || !(await isFree(port)) || !(await isFree(port + BUS_OFFSET))) continue
    given.add(port)
    return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      probe.close(() => resolve(true)),
    )
  })
}
