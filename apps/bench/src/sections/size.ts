import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { type Bar, judged } from '../bar.js'
import type { Section } from '../section.js'

/** What somebody writes who uses one rule on one client, which is not counted. */
const uses = {
  spillway: `
    export { createLimiter } from '@spillway/core'
    export { gcra } from '@spillway/algo-gcra'
    export { ioredisStore } from '@spillway/adapter-ioredis'`,
  'createLimiter alone': `export { createLimiter } from '@spillway/core'`,
  'gcra alone': `export { gcra } from '@spillway/algo-gcra'`,
  'ioredisStore alone': `export { ioredisStore } from '@spillway/adapter-ioredis'`,
  'rate-limiter-flexible': `export { RateLimiterRedis } from 'rate-limiter-flexible'`,
} as const

interface Size {
  readonly name: keyof typeof uses
  readonly minified: number
  readonly gzipped: number
}

/** How much a bundle grows. */
export const size: Section = {
  title: 'In a bundle: a limiter, GCRA and the ioredis adapter, without ioredis',
  async run() {
    const sizes = await Promise.all(
      Object.entries(uses).map(([name, source]) => sizeOf(name as Size['name'], source)),
    )
    return {
      figures: sizes,
      bars: judged(bars, sizes),
      tables: [
        {
          title: 'bytes',
          columns: ['', 'minified', 'gzipped'],
          rows: sizes.map(({ name, minified, gzipped }) => [
            name,
            minified.toLocaleString('en-US'),
            gzipped.toLocaleString('en-US'),
          ]),
        },
      ],
      charts: [],
    }
  },
}

async function sizeOf(name: Size['name'], source: string): Promise<Size> {
  const entry = 'virtual:entry'
  const bundle = await rolldown({
    input: entry,
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    platform: 'node',
    external: [/^node:/, 'ioredis', 'redis'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? here : null),
        load: (id) => (id === here ? source : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const code = output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
  return { name, minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length }
}

// Imports are resolved from here, as this package has them all.
const here = fileURLToPath(new URL('size-entry.js', import.meta.url))

const bars: readonly Bar<readonly Size[]>[] = [
  {
    name: 'size: createLimiter, gcra and the ioredis adapter, kB minified and gzipped',
    bar: { atMost: 4.5 },
    value: (sizes) => sizes.find(({ name }) => name === 'spillway')!.gzipped / 1000,
  },
]
