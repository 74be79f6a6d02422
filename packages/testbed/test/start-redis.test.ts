import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { withFreePorts } from '../src/free-ports.js'
import { type OwnRedis, startRedis, TestbedError } from '../src/index.js'
import { withOwnSite } from '../src/own-site.js'
import { redisCommand } from '../src/redis-command.js'

let server: OwnRedis

beforeAll(async () => {
  server = await startRedis({ own: true })
})

afterAll(() => server.stop())
afterEach(() => {
  vi.unstubAllEnvs()
})

async function folderOf(redis: OwnRedis): Promise<string> {
  const reply = await redis.command('CONFIG', 'GET', 'dir')
  return dirname(String(Array.isArray(reply) ? reply[1] : ''))
}

describe('an own server', () => {
  test('answers on 127.0.0.1, at the address it names', async () => {
    expect(server.url).toBe(`redis://127.0.0.1:${server.port}`)
    expect(await redisCommand(server.url, ['PING'])).toBe('PONG')
  })

  test('persists nothing', async () => {
    expect(await server.command('CONFIG', 'GET', 'save')).toEqual(['save', ''])
    expect(await server.command('CONFIG', 'GET', 'appendonly')).toEqual(['appendonly', 'no'])
  })

  test('replies as Redis does: text, numbers, nothing, lists, and errors in its own words', async () => {
    expect(await server.command('SET', 'text', 'héllo\r\n')).toBe('OK')
    expect(await server.command('GET', 'text')).toBe('héllo\r\n')
    expect(await server.command('INCRBY', 'number', 7)).toBe(7)
    expect(await server.command('GET', 'none')).toBeNull()
    expect(await server.command('EVAL', 'return { 1, { "a" } }', 0)).toEqual([1, ['a']])
    await expect(server.command('INCR', 'text')).rejects.toMatchObject({
      code: 'REPLY',
      message: expect.stringMatching(/^ERR value is not an integer/),
    })
    await expect(server.command('GET', '')).resolves.toBeNull()
  })

  test('is on its old port after a restart, without its data', async () => {
    const { pid, port } = server
    await server.command('SET', 'kept', 'no')
    await server.restart()
    expect(server.pid).not.toBe(pid)
    expect(server.port).toBe(port)
    expect(await server.command('DBSIZE')).toBe(0)
  })

  test('refuses connections once killed, until it is restarted', async () => {
    await server.kill()
    await expect(server.command('PING')).rejects.toMatchObject({ code: 'UNREACHABLE' })
    await server.restart()
    expect(await server.command('PING')).toBe('PONG')
  })

  test('answers nothing while paused, and then everything', async () => {
    await server.pause()
    const early = redisCommand(server.url, ['PING'], 150)
    const patient = server.command('PING')
    await expect(early).rejects.toMatchObject({ code: 'TIMEOUT' })
    await server.resume()
    expect(await patient).toBe('PONG')
  })

  test('leaves nothing behind when stopped, twice as well as once', async () => {
    const other = await startRedis({ own: true })
    const folder = await folderOf(other)
    expect(existsSync(folder)).toBe(true)
    await other.stop()
    await other.stop()
    await expect(other.command('PING')).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(existsSync(folder)).toBe(false)
  })

  test('takes more arguments, a password among them', async () => {
    const args = ['--requirepass', 'a b/@', '--maxmemory', '50mb']
    const other = await startRedis({ own: true, args })
    expect(await other.command('CONFIG', 'GET', 'maxmemory')).toEqual(['maxmemory', '52428800'])
    await expect(redisCommand(`redis://127.0.0.1:${other.port}`, ['PING'])).rejects.toMatchObject({
      message: expect.stringMatching(/^NOAUTH/),
    })
    await other.stop()
  })

  test('that cannot start says why', async () => {
    await expect(startRedis({ own: true, args: ['--no-such-option', '1'] })).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringContaining('no-such-option'),
    })
  })
})

describe('the race for a port', () => {
  test('a server that finds its port taken by another Redis is not mistaken for it', async () => {
    const runOnTaken = withOwnSite(1, undefined, async (site) => {
      // Not by the error of this code itself, which asks for other ports.
      const failure: unknown = await site
        .run({ port: server.port })
        .catch((error: unknown) => error)
      await site.close()
      return failure
    })
    expect(await runOnTaken).toMatchObject({ code: 'PORT_TAKEN' })
  })

  test('is run again with other ports', async () => {
    const tried: number[] = []
    const won = await withFreePorts(1, async ([port = 0]) => {
      tried.push(port)
      if (tried.length < 3) throw new TestbedError('PORT_TAKEN', 'another was quicker')
      return port
    })
    expect(new Set(tried).size).toBe(3)
    expect(won).toBe(tried[2])
  })

  test('many at once all start', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => startRedis({ own: true })))
    expect(new Set(all.map(({ port }) => port)).size).toBe(8)
    await Promise.all(all.map((each) => each.stop()))
  })
})

describe('the server of REDIS_URL', () => {
  test('is used, and survives stop', async () => {
    vi.stubEnv('REDIS_URL', server.url)
    const users = await startRedis()
    expect(users).toMatchObject({ own: false, url: server.url, port: server.port })
    expect(await users.command('PING')).toBe('PONG')
    await users.stop()
    expect(await server.command('PING')).toBe('PONG')
  })

  test.each(['FLUSHALL', 'flushdb', 'SHUTDOWN'])('is spared %s', async (command) => {
    vi.stubEnv('REDIS_URL', server.url)
    const users = await startRedis()
    await server.command('SET', 'precious', 1)
    await expect(users.command(command)).rejects.toMatchObject({ code: 'NOT_OWN' })
    expect(await server.command('GET', 'precious')).toBe('1')
  })

  test('is left alone by those who need their own', async () => {
    vi.stubEnv('REDIS_URL', server.url)
    const other = await startRedis({ own: true })
    expect(other.port).not.toBe(server.port)
    await other.stop()
  })

  test('that does not answer is an error, not a reason to start another', async () => {
    vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:1')
    await expect(startRedis()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  test('is asked in the database its URL names', async () => {
    vi.stubEnv('REDIS_URL', `${server.url}/3`)
    const users = await startRedis()
    await users.command('SET', 'where', 'three')
    expect(await server.command('GET', 'where')).toBeNull()
    expect(await redisCommand(`${server.url}/3`, ['GET', 'where'])).toBe('three')
  })
})
