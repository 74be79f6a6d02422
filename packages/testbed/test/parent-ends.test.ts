import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, fetchRedis, findRedis } from '../src/index.js'
import { bundleFor, type Children } from './child.js'

let children: Children

beforeAll(async () => {
  children = await bundleFor('index')
  // So that no child has to, and says so where it should say nothing.
  if (!(await findRedis({ own: true }))) await fetchRedis()
})

afterAll(() => children.remove())

interface Started {
  readonly ports: readonly number[]
  readonly folders: readonly string[]
}

const START = `
const server = await startRedis({ own: true })
const dir = (await server.command('CONFIG', 'GET', 'dir'))[1]
process.stdout.write(JSON.stringify({ ports: [server.port], folders: [dir] }) + '\\n')
`

/** Runs the code to its first line of output, which says what was started. */
async function started(code: string): Promise<Started & { child: ChildProcess }> {
  const child = children.run(code)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const what = await eventually('the child to have started Redis', () => /.*\n/.exec(output)?.[0])
  return { ...(JSON.parse(what) as Started), child }
}

async function expectGone({ ports, folders }: Started): Promise<void> {
  // By port, not by pid: where nobody reaps orphans, a dead process keeps its pid.
  for (const port of ports) await eventually('Redis to be gone', () => refuses(port))
  await eventually('its folder to be gone', () => !folders.some((folder) => existsSync(folder)))
}

/** A paused server still takes connections: only a dead one refuses them. */
function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}

describe('Redis ends with the process that started it', () => {
  test.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s', async (signal) => {
    const { child, ...what } = await started(`${START}; setInterval(() => {}, 1000)`)
    for (const port of what.ports) expect(await refuses(port)).toBe(false)
    child.kill(signal)
    await expectGone(what)
  })

  test('by a signal to its whole process group, as Ctrl-C in a terminal sends it', async () => {
    const { child, ...what } = await started(`${START}; setInterval(() => {}, 1000)`)
    process.kill(-(child.pid ?? Number.NaN), 'SIGINT')
    await expectGone(what)
  })

  test.each([
    ['process.exit', 'process.exit(0)'],
    ['an exception', 'throw new Error("on purpose")'],
    ['an abort', 'process.abort()'],
    ['simply having nothing left to do', ''],
  ])('by %s', async (_, code) => {
    const { child: _child, ...what } = await started(START + code)
    await expectGone(what)
  })

  test('after a restart, and while it is paused', async () => {
    const { child, ...what } = await started(`
      const server = await startRedis({ own: true })
      await server.restart()
      await server.pause()
      process.stdout.write(JSON.stringify({ ports: [server.port], folders: [] }) + '\\n')
      setInterval(() => {}, 1000)
    `)
    child.kill('SIGKILL')
    await expectGone(what)
  })

  test('all nodes of a cluster', async () => {
    const { child, ...what } = await started(`
      const { nodes } = await startCluster()
      process.stdout.write(JSON.stringify({ ports: nodes.map((node) => node.port), folders: [] }) + '\\n')
      setInterval(() => {}, 1000)
    `)
    expect(what.ports).toHaveLength(3)
    child.kill('SIGKILL')
    await expectGone(what)
  })
})

test('a running server prints nothing and does not keep its process alive', async () => {
  const child = children.run(`
    const server = await startRedis({ own: true })
    const proxy = await startProxy(server)
    await server.command('PING')
    await server.pause()
    await server.resume()
  `)
  const [stdout, stderr, code] = await Promise.all([
    child.stdout && text(child.stdout),
    child.stderr && text(child.stderr),
    new Promise((resolve) => child.once('exit', resolve)),
  ])
  expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: '', code: 0 })
})
