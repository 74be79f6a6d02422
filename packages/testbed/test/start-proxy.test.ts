import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually, type OwnRedis, type RedisProxy, startProxy, startRedis } from '../src/index.js'
import { redisCommand } from '../src/redis-command.js'

let server: OwnRedis
let proxy: RedisProxy

beforeAll(async () => {
  server = await startRedis({ own: true })
})

afterAll(() => server.stop())

beforeEach(async () => {
  await server.command('FLUSHALL')
  proxy = await startProxy(server)
})

afterEach(() => proxy.stop())

function through(...args: (string | number)[]) {
  return redisCommand(proxy.url, args)
}

/** A client that keeps one connection open, and everything that arrived on it. */
async function openClient(): Promise<{
  socket: Socket
  received: () => string
  ended: Promise<unknown>
}> {
  const socket = connect(proxy.port, proxy.host)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  socket.on('error', () => undefined)
  const ended = once(socket, 'close')
  await once(socket, 'connect')
  return { socket, received: () => received, ended }
}

function encode(...args: string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`).join('')}`
}

test('what passes is unchanged, and seen', async () => {
  const long = 'é'.repeat(200_000)
  expect(await through('set', 'key', long)).toBe('OK')
  expect(await through('GET', 'key')).toBe(long)
  expect(proxy.seen).toEqual([
    ['SET', 'key', long],
    ['GET', 'key'],
  ])
  expect(proxy.count('get')).toBe(1)
  proxy.forget()
  expect(proxy.seen).toEqual([])
})

test('requests are told apart wherever the packets break', async () => {
  const { socket, received } = await openClient()
  for (const byte of encode('PING') + encode('INCR', 'n')) {
    socket.write(byte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await eventually('both replies', () => received() === '+PONG\r\n:1\r\n')
  expect(proxy.seen).toEqual([['PING'], ['INCR', 'n']])
  socket.destroy()
  await eventually('the client to be gone', () => proxy.connections === 0)
})

test('RESP3 passes, maps and pushes included', async () => {
  const { socket, received } = await openClient()
  socket.write(encode('HELLO', '3') + encode('SUBSCRIBE', 'news') + encode('PING'))
  await eventually('the last reply', () => received().endsWith('+PONG\r\n'))
  expect(received()).toMatch(/^%/)
  expect(received()).toContain('>3\r\n$9\r\nsubscribe')
  socket.destroy()
})

describe('a lost reply', () => {
  test('belongs to a request that was executed, once', async () => {
    proxy.cutAfterRequest('incr')
    await expect(through('INCR', 'n')).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(await server.command('GET', 'n')).toBe('1')
    expect(proxy.cuts).toBe(1)
    expect(await through('INCR', 'n')).toBe(2)
  })

  test('is chosen by a pattern over the whole request', async () => {
    proxy.cutAfterRequest(/^SET second/)
    expect(await through('SET', 'first', 1)).toBe('OK')
    await expect(through('SET', 'second', 1)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(await server.command('EXISTS', 'second')).toBe(1)
  })

  test('leaves the replies before it, and lets nothing after it through', async () => {
    const { socket, received, ended } = await openClient()
    proxy.cutAfterRequest(/INCR b/)
    socket.write(encode('INCR', 'a') + encode('INCR', 'b') + encode('INCR', 'c'))
    await ended
    expect(received()).toBe(':1\r\n')
    expect(await server.command('MGET', 'a', 'b', 'c')).toEqual(['1', '1', null])
  })
})

test('a cut ends every connection, and a new one is welcome', async () => {
  const { ended } = await openClient()
  proxy.cut()
  await ended
  expect(await through('PING')).toBe('PONG')
})

test('frozen, it accepts and passes nothing; thawed, it passes what was held back', async () => {
  const { socket, received } = await openClient()
  socket.write(encode('INCR', 'n'))
  await eventually('the first reply', () => received() === ':1\r\n')
  proxy.freeze()
  socket.write(encode('INCR', 'n'))
  await expect(redisCommand(proxy.url, ['INCR', 'n'], 100)).rejects.toMatchObject({
    code: 'TIMEOUT',
  })
  expect(await server.command('GET', 'n')).toBe('1')
  expect(received()).toBe(':1\r\n')
  proxy.thaw()
  await eventually('the held back reply', () => received().length > 4)
  // The request whose caller gave up arrives all the same: that is what makes a timeout indeterminate.
  await eventually(
    'both held back requests',
    async () => (await server.command('GET', 'n')) === '3',
  )
  socket.destroy()
})

test('refusing, it cuts and refuses connections, and is back on its old port', async () => {
  const { ended } = await openClient()
  await proxy.refuse()
  await ended
  await expect(through('PING')).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('ECONNREFUSED'),
  })
  await proxy.accept()
  expect(await through('PING')).toBe('PONG')
})

test('a delay holds up each round trip, and keeps the order', async () => {
  const { socket, received } = await openClient()
  proxy.delayMs = 100
  const startedAt = performance.now()
  socket.write(encode('RPUSH', 'l', 'a'))
  socket.write(encode('RPUSH', 'l', 'b'))
  proxy.delayMs = 0
  await eventually('both replies', () => received() === ':1\r\n:2\r\n')
  socket.destroy()

  proxy.delayMs = 100
  expect(await through('PING')).toBe('PONG')
  expect(performance.now() - startedAt).toBeGreaterThan(95)
})

test('a dead server ends its clients’ connections', async () => {
  const own = await startRedis({ own: true })
  const before = await startProxy(own)
  const socket = connect(before.port, before.host)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await eventually('the proxy to be connected', () => before.connections === 1)
  const ended = once(socket, 'close')
  socket.resume()
  await own.stop()
  await ended
  await before.stop()
})
