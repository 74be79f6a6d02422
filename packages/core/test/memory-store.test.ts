import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'rolldown'
import { describe, expect, test, vi } from 'vitest'
import { createLimiter, memoryStore, systemClock } from '../src/index.js'
import { tally } from './tally.js'

const start = 1_800_000_000_000_000

describe('memoryStore', () => {
  test('decides by the clock it is given, and by no other', async () => {
    let now = start
    const store = memoryStore({ clock: () => now })
    const limiter = createLimiter({ store, policies: { p: tally(1) } })
    await limiter.consume('k')
    now += 999_999
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, retryAfterMs: 1 })
    now += 1
    expect(await limiter.consume('k')).toMatchObject({ allowed: true })
  })

  test('decides by the time of the process by default', async () => {
    vi.useFakeTimers({ now: 5_000, toFake: ['Date'] })
    try {
      expect(systemClock()).toBe(5_000_000)
      const limiter = createLimiter({ store: memoryStore(), policies: { p: tally(1) } })
      await limiter.consume('k')
      vi.setSystemTime(5_400)
      expect(await limiter.consume('k')).toMatchObject({ allowed: false, retryAfterMs: 600 })
    } finally {
      vi.useRealTimers()
    }
  })

  test('decides requests of one turn one after another: exactly the limit is allowed', async () => {
    const limiter = createLimiter({ store: memoryStore(), policies: { p: tally(10) } })
    const decisions = await Promise.all(Array.from({ length: 50 }, () => limiter.consume('k')))
    expect(decisions.map(({ allowed }) => allowed)).toEqual(
      Array.from({ length: 50 }, (_, i) => i < 10),
    )
  })

  test.each([1, 2, 5])('of at most %i keys remembers the latest ones only', async (maxKeys) => {
    let now = start
    const store = memoryStore({ maxKeys, clock: () => now })
    const limiter = createLimiter({ store, policies: { p: tally(3) } })
    const keys = Array.from({ length: 12 }, (_, i) => `k${i}`)
    for (const key of keys) {
      now += 1
      await limiter.consume(key)
    }
    const looks = await Promise.all(keys.map((key) => limiter.peek(key)))
    expect(looks.map(({ remaining }) => remaining)).toEqual(
      keys.map((_, i) => (i < keys.length - maxKeys ? 3 : 2)),
    )
  })

  test('with room for fewer keys than one request has policies still decides each right', async () => {
    const store = memoryStore({ maxKeys: 1 })
    const limiter = createLimiter({ store, policies: { a: tally(2), b: tally(5) } })
    for (let i = 0; i < 10; i++) {
      const { policies } = await limiter.consume('k')
      expect(policies.b.remaining).toBeLessThanOrEqual(4)
    }
  })

  test('a look and a denial take no room', async () => {
    const store = memoryStore({ maxKeys: 2 })
    const limiter = createLimiter({ store, policies: { p: tally(1) } })
    await limiter.consume('a')
    await limiter.consume('b')
    for (const key of ['c', 'd', 'e']) await limiter.peek(key)
    await limiter.consume('b')
    expect(await limiter.peek('a')).toMatchObject({ allowed: false })
  })

  test('a key given back whole takes no room any more', async () => {
    const store = memoryStore({ maxKeys: 2 })
    const limiter = createLimiter({ store, policies: { p: tally(1) } })
    await limiter.consume('a')
    const b = await limiter.consume('b')
    if (b.allowed) await limiter.refund(b)
    await limiter.consume('c')
    expect(await limiter.peek('a')).toMatchObject({ allowed: false })
  })

  test('lets go of its memory while it is used', { timeout: 30_000 }, async () => {
    const program = `
      let now = 1e15
      const store = memoryStore({ clock: () => now })
      const policy = {
        algorithm: {
          name: 'log', contract: 1, lua: '',
          check: () => ({ allowed: true, remaining: 1, wait: 0, reset: 0 }),
          record(state) {
            for (let i = 0; i < 100; i++) state.push(i + 0.5)
            return { receipt: 0, remaining: 1, reset: 0, ttl: 1000 }
          },
        },
        args: [], limit: 1, windowMs: 1, capacity: 1,
      }
      const limiter = createLimiter({ store, policies: { policy } })
      const used = () => { gc(); return process.memoryUsage().heapUsed }
      const before = used()
      for (let i = 0; i < 20_000; i++) await limiter.consume('old ' + i)
      const full = used()
      now += 1001
      for (let i = 0; i < 20_000; i++) {
        now += 1001
        await limiter.consume('new ' + i)
      }
      console.log(JSON.stringify({ grown: full - before, kept: used() - before }))
    `
    const { grown, kept } = JSON.parse(await runInNode(program, '--expose-gc'))
    expect(grown).toBeGreaterThan(8_000_000)
    expect(kept).toBeLessThan(grown / 5)
  })

  test('keeps no process alive', { timeout: 30_000 }, async () => {
    const printed = await runInNode(`
      const policy = {
        algorithm: { name: 'one', contract: 1, lua: '',
          check: () => ({ allowed: true, remaining: 1, wait: 0, reset: 0 }),
          record: () => ({ receipt: 0, remaining: 1, reset: 0, ttl: 31_536_000_000_000 }) },
        args: [], limit: 1, windowMs: 1, capacity: 1 }
      const limiter = createLimiter({ store: memoryStore(), policies: { policy } })
      await limiter.consume('k')
      const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
      console.log(timers.length)
    `)
    expect(printed).toBe('0')
  })
})

/** Runs a module, in which all that core exports is in scope, in a Node of its own until it exits by itself. */
async function runInNode(program: string, ...flags: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-core-'))
  try {
    // Node 20 runs no TypeScript.
    const file = join(folder, 'core.mjs')
    await build({
      input: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
      logLevel: 'silent',
      output: { file, format: 'esm' },
    })
    const code = `import * as core from ${JSON.stringify(pathToFileURL(file).href)}
      const { createLimiter, memoryStore } = core
      ${program}`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, '--input-type=module', '-e', code],
      { timeout: 30_000 },
    )
    return stdout.trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
