import { expect, test } from 'vitest'
import { brokenLaw } from '../src/broken-law.js'
import { loadKit } from '../src/load-kit.js'
import { mutants } from '../src/mutants.js'
import { openMemory } from '../src/open-stores.js'
import { replayOf } from '../src/replay-of.js'

const file = 'algo-fixed/src/fixed-window.ts'

test('a mutant whose place is gone fails loudly', async () => {
  const gone = { file, find: 'no such text', replace: '' }
  await expect(loadKit(gone)).rejects.toThrow(`stands 0 times in ${file}, not once: no such text`)
})

test('a mutant whose place is not clear fails loudly', async () => {
  const twice = { file, find: 'countAt(state, start))', replace: '' }
  await expect(loadKit(twice)).rejects.toThrow(`stands 2 times in ${file}, not once`)
})

test('a mutant of a file that is not loaded fails loudly', async () => {
  const elsewhere = { file: 'testbed/package.json', find: '"private": true', replace: '' }
  await expect(loadKit(elsewhere)).rejects.toThrow('testbed/package.json is not part of Spillway')
})

test('there are mutants of both twins of every rule, the kernel, the memory store and each adapter', () => {
  const files = mutants.map(({ file }) => file)
  expect(mutants.length).toBeGreaterThanOrEqual(20)
  for (const part of [
    'algo-fixed/src/fixed-window.ts',
    'algo-fixed/src/fixed-window.lua',
    'algo-sliding/src/sliding-window.ts',
    'algo-sliding/src/sliding-window.lua',
    'algo-gcra/src/gcra.ts',
    'algo-gcra/src/gcra.lua',
    'algo-leaky-bucket/src/leaky-bucket.ts',
    'algo-leaky-bucket/src/leaky-bucket.lua',
    'algo-token-bucket/src/interval-bucket.ts',
    'algo-token-bucket/src/interval-bucket.lua',
    'algo-sliding-counter/src/sliding-counter.ts',
    'algo-sliding-counter/src/sliding-counter.lua',
    'algo-sliding-counter/src/segmented-window.ts',
    'algo-sliding-counter/src/segmented-window.lua',
    'algo-sliding-compact/src/compact-sliding-window.ts',
    'algo-sliding-compact/src/compact-sliding-window.lua',
    'store-redis/src/kernel.lua',
    'core/src/memory-store.ts',
    'adapter-ioredis/src/ioredis-store.ts',
    'adapter-node-redis/src/node-redis-store.ts',
  ]) {
    expect(files).toContain(part)
  }
})

test('each mutant has a name of its own', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

test('a failure names the law, what it demands, the policy, the store and the case, and can be replayed', async () => {
  const mutant = mutants.find(({ name }) => name.startsWith('the wait is for the oldest unit'))!
  const kit = await loadKit(mutant)
  const subject = openMemory().subject(kit, mutant)
  const law = kit.laws.find(({ number }) => number === 2)!
  const policies = subject.policies.toReversed()
  const { message } = (await brokenLaw([law], { ...subject, policies }))!
  const lines = message.split('\n')
  expect(lines.slice(0, 5)).toEqual([
    `Law 2 is broken: ${law.name}`,
    expect.stringMatching(/^ {2}It demands that cost \d+, told to wait \d+ µs, is /),
    expect.stringMatching(/^ {2}Policy {3}sliding-window, limit \d+ per \d+ ms, capacity \d+$/),
    '  Store    memory',
    expect.stringMatching(/^ {2}Case {5}at \d+ µs$/),
  ])
  expect(lines.slice(5, -1)).toContainEqual(expect.stringMatching(/^ {11}consume \d+$/))
  expect(lines.at(-1)).toMatch(
    /^ {2}Replay {3}law\.check\(subject, \{"seed":1,"path":".+","policy":\d\}\)$/,
  )
  const again = await law.check({ ...subject, policies }, replayOf(message)).catch(String)
  expect(again).toBe(`Error: ${message}`)
})
