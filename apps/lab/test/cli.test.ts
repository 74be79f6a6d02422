import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startRedis } from '@spillway/testbed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltLab, builtLab } from './built-lab.js'

let lab: BuiltLab
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  const server = await startRedis()
  ;({ url, stop } = server)
  lab = await builtLab()
}, 120_000)

afterAll(async () => {
  await lab.remove()
  await stop()
})

const run = (...args: string[]) => lab.start(args).ended
/** Windows of two seconds leave a busy machine time enough, and each boundary is near. */
const quick = ['--window', '2s']

describe.concurrent.each([
  ['in memory', () => ['--store', 'memory'], { store: 'memory', driver: null }],
  ['through ioredis', () => ['--redis-url', url], { store: 'redis', driver: 'ioredis' }],
  [
    'through node-redis',
    () => ['--redis-url', url, '--driver', 'node-redis'],
    { store: 'redis', driver: 'node-redis' },
  ],
])('%s', (_, where, place) => {
  test('break exits 1, since 8 and 8 were let through', async () => {
    const { code, stdout } = await run('break', '--json', ...quick, ...where())
    expect(JSON.parse(stdout)).toMatchObject({
      ...place,
      algorithm: 'fixed-window',
      limit: 8,
      windowMs: 2000,
      phases: [
        { allowed: 8, denied: 0 },
        { allowed: 8, denied: 0 },
      ],
      admitted: 16,
      spanMs: expect.any(Number),
      mostInAnyWindow: 16,
      held: false,
      counters: place.store === 'redis' ? [{ count: 8 }, { count: 8 }] : null,
    })
    expect(code).toBe(1)
  })

  test('test exits 0, since 8 and 0 were', async () => {
    const { code, stdout } = await run('test', '--json', ...quick, ...where())
    expect(JSON.parse(stdout)).toMatchObject({
      ...place,
      algorithm: 'sliding-window',
      phases: [
        { allowed: 8, denied: 0 },
        { allowed: 0, denied: 8 },
      ],
      admitted: 8,
      mostInAnyWindow: 8,
      held: true,
      logSize: place.store === 'redis' ? 8 : null,
    })
    expect(code).toBe(0)
  })

  test('load exits 0, since no key got more than promised', async () => {
    const few = ['--seconds', '1', '--limit', '20', '--keys', '10', '--workers', '8']
    const { code, stdout } = await run('load', '--json', ...few, ...where())
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ ...place, promise: 20, brokenKeys: 0, held: true })
    expect(result.admitted + result.denied).toBe(result.decisions)
    expect(result.denied).toBeGreaterThan(0)
    expect(code).toBe(0)
  })
})

describe.concurrent('compare', () => {
  const promised = {
    ...{ fixedWindow: 20, slidingWindow: 10, compactSlidingWindow: 10, slidingCounter: 19 },
    ...{ segmentedWindow: 10, gcra: 19, 'gcra, burst 1': 10, tokenBucket: 19 },
    ...{ 'tokenBucket, batches': 20, leakyBucket: 20 },
  }
  const byName = (algorithms: { name: string; measured: number }[]) =>
    Object.fromEntries(algorithms.map(({ name, measured }) => [name, measured]))

  test('on Redis: promises, bytes and time', async () => {
    const { code, stdout, stderr } = await run('compare', '--json', '--redis-url', url)
    const result = JSON.parse(stdout)
    const place = { store: 'redis', driver: 'ioredis' }
    expect(result).toMatchObject({ ...place, limit: 10, windowMs: 10_000, held: true })
    expect(byName(result.algorithms)).toEqual(promised)
    for (const { name, bytesPerKey, serverUs } of result.algorithms) {
      expect(bytesPerKey, name).toBeGreaterThan(40)
      expect(bytesPerKey, name).toBeLessThan(500)
      expect(serverUs, name).toBeGreaterThan(0)
    }
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('in memory, with a picture: promises only', async () => {
    const svg = join(lab.folder, 'compare.svg')
    const { code, stdout } = await run(
      ...['compare', '--json', '--store', 'memory', '--limit', '8', '--window', '1s', '--svg', svg],
    )
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ limit: 8, windowMs: 1000, store: 'memory', held: true })
    expect(result.algorithms[0]).toEqual({
      name: 'fixedWindow',
      algorithm: 'fixed-window',
      options: { limit: 8, window: 1000 },
      promised: 16,
      measured: 16,
      promisedShort: 16,
      measuredShort: 16,
      boundary: 16,
      bytesPerKey: null,
      serverUs: null,
      held: true,
    })
    expect(await readFile(svg, 'utf8')).toContain('8 per 1 s')
    expect(code).toBe(0)
  })

  test('for people, and as Markdown', async () => {
    const quickly = ['--store', 'memory', '--limit', '2']
    const { stdout } = await run('compare', ...quickly)
    expect(stdout).toContain('✓ Held     No attack got more than was promised.')
    expect(stdout).not.toContain('\u001B')
    const { stdout: markdown } = await run('compare', '--markdown', ...quickly)
    expect(markdown).toMatch(/^\| limit 2 per 10 s +\|/)
  })
})

test.concurrent('without a command it runs both, and exits 0 when they are as taught', async () => {
  const { code, stdout } = await run('--json', ...quick, '--store', 'memory')
  expect(JSON.parse(stdout)).toMatchObject({
    break: { algorithm: 'fixed-window', admitted: 16, held: false },
    test: { algorithm: 'sliding-window', admitted: 8, held: true },
    asTaught: true,
  })
  expect(code).toBe(0)
})

test.concurrent('for people: evidence under its real key, and no colours in a pipe', async () => {
  const colorful = { env: { FORCE_COLOR: '1', CI: '1' } }
  const { stdout } = await lab.start(['--redis-url', url, ...quick], colorful).ended
  expect(stdout).toMatch(/HGETALL spillway:boundary:fixed-window:\{lab:[0-9a-f]+\}/)
  expect(stdout).toMatch(/ZCARD spillway:boundary:sliding-window:\{lab:[0-9a-f]+\}/)
  expect(stdout).toContain('✗ Broken   16 admitted within')
  expect(stdout).toContain('✓ Held     8 admitted within')
  expect(stdout).toContain('Both behave as the lesson says.')
  expect(stdout).not.toContain('\u001B')
})

test.concurrent('in memory it says that there is nothing to read back', async () => {
  const { stdout } = await run('break', ...quick, '--store', 'memory')
  expect(stdout).toContain('Read back   nothing')
})

test.concurrent('a limit that nobody reaches is not broken', async () => {
  const { code } = await run('break', ...quick, '--store', 'memory', '--requests', '4')
  expect(code).toBe(0)
})

describe.concurrent('wrong options: one line, exit 2', () => {
  test.each([
    [['break', '--limit', 'x'], '--limit must be a positive integer, got "x"'],
    [['test', '--window', '0s'], '--window must be'],
    [['load', '--workers', '0'], '--workers must be a positive integer, got 0'],
    [['--driver', 'jedis'], '--driver must be ioredis or node-redis, got "jedis"'],
    [['break', '--redis-url', 'nowhere'], '--redis-url must be an address'],
    [['brake'], 'command must be break, test, load or compare, got "brake"'],
    [['compare', '--limit', '0'], '--limit must be a positive integer, got 0'],
    [['compare', '--svg', 'no/such/folder/x.svg'], '--svg must be a file in a folder'],
    [['break', '--limt', '3'], "unknown option '--limt' (Did you mean --limit?)"],
    [['break', '--limit'], "option '--limit <count>' argument missing"],
    [['test', 'twice'], "too many arguments for 'test'"],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})

test.concurrent.each([[[]], [['break']], [['test']], [['load']], [['compare']]])(
  '%j --help',
  async (command) => {
    const { code, stdout } = await run(...command, '--help')
    expect(stdout).toContain('--redis-url')
    expect(code).toBe(0)
  },
)

describe.concurrent('no result: one line, exit 3', () => {
  const expectOneLine = (stderr: string, message: string | RegExp) => {
    const lines = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !line.endsWith('…'))
    expect(lines).toEqual([expect.stringMatching(message)])
  }

  test.each(['ioredis', 'node-redis'])('nobody listens, %s', async (driver) => {
    const address = 'redis://user:secret@127.0.0.1:1'
    const { code, stderr } = await run('test', '--driver', driver, '--redis-url', address)
    expectOneLine(stderr, /^Redis at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/)
    expect(code).toBe(3)
  })

  test.each([
    ['ioredis', ['break', '--window', '300d'], 'Waiting'],
    ['node-redis', ['break', '--window', '300d'], 'Waiting'],
    ['ioredis', ['load', '--seconds', '60'], 'Running'],
    ['node-redis', ['load', '--seconds', '60'], 'Running'],
  ])('Redis is killed in the middle, %s %j', async (driver, args, sign) => {
    const server = await startRedis({ own: true })
    try {
      const child = lab.start([...args, '--json', '--driver', driver, '--redis-url', server.url])
      await child.said(sign)
      await server.kill()
      const { code, stdout, stderr } = await child.ended
      expectOneLine(stderr, /^Redis at 127\.0\.0\.1:\d+ is gone: /)
      expect(stdout).toBe('')
      expect(code).toBe(3)
    } finally {
      await server.stop()
    }
  })

  test.each(['ioredis', 'node-redis'])('Redis hangs, %s', async (driver) => {
    const server = await startRedis({ own: true })
    try {
      const args = ['test', '--window', '300d', '--driver', driver, '--redis-url', server.url]
      const child = lab.start(args)
      await child.said('Waiting')
      await server.pause()
      const { code, stderr } = await child.ended
      expectOneLine(stderr, /is gone: no answer for 5 s$/)
      expect(code).toBe(3)
    } finally {
      await server.stop()
    }
  })
})

describe.concurrent('without a Redis at hand', () => {
  const nowhere = () => ({ cwd: lab.folder, env: { PATH: lab.folder } })

  test('it runs in memory, and says so in one line with the way to get one', async () => {
    const { code, stdout, stderr } = await lab.start(['test', '--json', ...quick], nowhere()).ended
    expect(stderr).toMatch(/^There is no Redis at hand, .* the memory store\. To get one: .+\n/)
    expect(JSON.parse(stdout)).toMatchObject({ store: 'memory', driver: null, held: true })
    expect(code).toBe(0)
  })

  test('who asks for Redis gets none instead of something else', async () => {
    const { code, stdout, stderr } = await lab.start(['test', '--store', 'redis'], nowhere()).ended
    expect(stderr).toMatch(/^There is no Redis at hand\. To get one: .+\n$/)
    expect(stdout).toBe('')
    expect(code).toBe(3)
  })
})

test.concurrent.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s stops it', async (signal, expected) => {
  const child = lab.start(['break', '--window', '300d'])
  await child.said('Waiting')
  child.process.kill(signal)
  const { code, stdout, stderr } = await child.ended
  expect(stderr).toMatch(/Stopped\.\n$/)
  expect(stdout).toBe('')
  expect(code).toBe(expected)
})
