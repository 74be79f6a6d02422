import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltBench, builtBench } from './built-bench.js'

let bench: BuiltBench
beforeAll(async () => {
  bench = await builtBench()
})
afterAll(() => bench.remove())

test('--quick --json measures everything and prints one document; nothing depends on speed', async () => {
  const svg = join(bench.folder, 'figures.svg')
  const { code, stdout, stderr } = await bench.run(['--quick', '--json', '--svg', svg])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

  const { machine, isQuick, bars, figures } = JSON.parse(stdout)
  expect(machine).toMatchObject({ cpu: expect.any(String), redis: expect.any(String) })
  expect(isQuick).toBe(true)
  for (const bar of bars) {
    expect(bar).toEqual({
      name: expect.any(String),
      value: bar.value === null ? null : expect.any(Number),
      bar: 'atLeast' in bar.bar ? { atLeast: expect.any(Number) } : { atMost: expect.any(Number) },
      holds: expect.any(Boolean),
    })
  }
  expect(new Set(bars.map(({ name }: { name: string }) => name)).size).toBe(bars.length)
  for (const driver of ['ioredis', 'node-redis']) {
    const groups = figures[driver].map(({ group }: { group: string }) => group)
    expect(new Set(groups)).toEqual(new Set(['floor', 'lesson', 'peer', 'spillway']))
    for (const row of figures[driver]) {
      expect(row).toMatchObject({ driver, decisionsPerSecond: { median: expect.any(Number) } })
      expect(row.serverUs.median).toBeGreaterThan(0)
    }
  }
  expect(await readFile(svg, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
})

test('--only measures what it names, and says what there is to a wrong name', async () => {
  const { stdout } = await bench.run(['--quick', '--only', 'size'])
  expect(stdout).toMatch(/gzipped[\s\S]*Bars: \d of 1 hold/)
  const wrong = await bench.run(['--only', 'speed'])
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/^only must name sections \(ioredis, .*\), got "speed"\n$/)
})
