import { readFileSync } from 'node:fs'
import { fixedWindow } from '@spillway/algo-fixed'
import { describe, expect, test } from 'vitest'
import { colorsFor } from '../src/colors.js'
import { compare } from '../src/compare.js'
import { compareJson } from '../src/compare-json.js'
import { compareMarkdown } from '../src/compare-markdown.js'
import { compareReport } from '../src/compare-report.js'
import { type Contender, contenders } from '../src/contenders.js'
import type { Progress } from '../src/progress.js'
import { roundsFor, scriptUs } from '../src/server-time.js'
import { fakeRun } from './fake-run.js'

const quiet: Progress = { waiting() {}, doing() {}, note() {}, clear() {} }
const inMemory = { redis: undefined, signal: new AbortController().signal }

const comparison = (of: readonly Contender[], limit = 10, windowMs = 10_000) =>
  compare({ contenders: of, limit, windowMs, session: inMemory, progress: quiet })

describe('every algorithm at its worst', () => {
  test('gets exactly what it promises, in a window and in a hundredth of it', async () => {
    const all = await comparison(contenders)
    const got = all.map((one) => [
      ...[one.name, one.boundary, one.measured, one.measuredShort],
      one.promised === one.measured && one.promisedShort === one.measuredShort && one.held,
    ])
    expect(got).toEqual([
      ['fixedWindow', 20, 20, 20, true],
      ['slidingWindow', 10, 10, 10, true],
      ['compactSlidingWindow', 10, 10, 10, true],
      ['slidingCounter', 10, 19, 10, true],
      ['segmentedWindow', 10, 10, 10, true],
      ['gcra', 10, 19, 10, true],
      ['gcra, burst 1', 1, 10, 1, true],
      ['tokenBucket', 10, 19, 10, true],
      ['tokenBucket, batches', 10, 20, 20, true],
      ['leakyBucket', 11, 20, 11, true],
    ])
    // The root README shows the same.
    const shown = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
      .split('<!-- compare:start -->')[1]!
      .split('<!-- compare:end -->')[0]!
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    expect(
      shown.map(([, name, boundary, promised, measured, promisedShort, short]) => [
        ...[name, boundary, promised, measured, promisedShort, short],
      ]),
    ).toEqual(
      all.map((one) => [
        `\`${one.name}\``,
        ...[one.boundary, one.promised, one.measured, one.promisedShort, one.measuredShort].map(
          String,
        ),
      ]),
    )
  })

  test('and with limits of 1 and of 60 no more than it promises', async () => {
    for (const limit of [1, 60]) {
      for (const one of await comparison(contenders, limit, 1000))
        expect(one).toMatchObject({ held: true })
    }
  })

  test('a promise that does not hold is found out, by either attack and in either interval', async () => {
    const lying = (most: (us: number) => number): Contender => ({
      name: 'liar',
      options: () => ({}),
      policy: (limit, window) => ({ ...fixedWindow({ limit, window }), most }),
    })
    expect(await comparison([lying(() => 19)])).toMatchObject([{ measured: 20, held: false }])
    const short = lying((us) => (us < 1_000_000 ? 10 : 20))
    expect(await comparison([short])).toMatchObject([{ measuredShort: 20, held: false }])
  })

  test('ends when it is interrupted', async () => {
    const signal = AbortSignal.abort(new Error('stop'))
    const session = { redis: undefined, signal }
    const options = { contenders, limit: 1, windowMs: 1000, session, progress: quiet }
    await expect(compare(options)).rejects.toThrow('stop')
  })
})

describe('what it tells', () => {
  const plain = colorsFor({ isTTY: false } as NodeJS.WriteStream)

  test('people: a table that fits eighty columns, a chart of each, and the verdict', () => {
    const lines = compareReport(fakeRun(), plain)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    const row = lines.find((line) => line.startsWith('  slidingWindow'))
    expect(row?.split(/ +/)).toEqual([
      '',
      'slidingWindow',
      '20',
      '10',
      '12',
      '20',
      '20',
      '120',
      '—',
    ])
    expect(lines.find((line) => line.includes('slidingWindow: 12 of 10'))).toBeDefined()
    expect(lines.at(-1)).toBe('  ✗ Broken   More than was promised got through: slidingWindow.')
    const text = compareReport(fakeRun({ held: true }), plain).join('\n')
    expect(text).toContain('✓ Held')
  })

  test('people: columns that stay apart, however long a number is', () => {
    const lines = compareReport(fakeRun({ measuredShort: 10_000, bytesPerKey: 1_226_192 }), plain)
    const row = lines.find((line) => line.startsWith('  slidingWindow'))
    expect(row).toContain(' 10000 1226192 ')
    expect(lines[4]).toHaveLength(row!.length)
  })

  test('people without a Redis: what was not measured', () => {
    const run = fakeRun()
    const session = { kind: 'memory', driver: null, title: 'the memory store' } as const
    const text = compareReport({ ...run, session }, plain).join('\n')
    expect(text).toContain('measured on Redis only; this was the memory store')
  })

  test('Markdown: what exceeds its promise in bold, and what it was measured on', () => {
    const lines = compareMarkdown(fakeRun())
    expect(lines[3]).toMatch(/^\| `slidingWindow` +\| +20 \| +10 \| +\*\*12\*\* \|.*\| +— \|$/)
    expect(new Set(lines.slice(0, 4).map((line) => line.length)).size).toBe(1)
    expect(lines.at(-1)).toMatch(/^Measured on Redis 7\.0\.15 through ioredis, \d+ cores?.*Node/)
  })

  test('JSON: all of it, and whether every promise held', () => {
    expect(compareJson(fakeRun())).toMatchObject({
      limit: 10,
      windowMs: 10_000,
      store: 'redis',
      held: false,
      algorithms: [
        { name: 'fixedWindow', algorithm: 'fixed-window', options: { limit: 10, window: 10_000 } },
        { name: 'slidingWindow', promised: 10, measured: 12, serverUs: null, held: false },
      ],
    })
  })
})

describe('the time on the server', () => {
  test('is what scripts took, and unknown where no script has run', () => {
    const stats = [
      '# Commandstats',
      'cmdstat_eval:calls=1,usec=9,usec_per_call=9.00,rejected_calls=0,failed_calls=0',
      'cmdstat_evalsha:calls=3,usec=123,usec_per_call=41.00,rejected_calls=0,failed_calls=1',
    ].join('\r\n')
    expect(scriptUs(stats)).toBe(123)
    expect(scriptUs('# Commandstats\r\n')).toBeNull()
  })

  test('is measured in rounds, fewer where they are long', () => {
    expect(roundsFor(1)).toBe(20)
    expect(roundsFor(10_000)).toBe(5)
  })
})
