import { defineConfig, mergeConfig } from 'vitest/config'
import { luaText } from './lua-text.js'

// Ours, and what Node itself goes by: a package's build for bundlers, by `module`, is not for Node.
const conditions = ['@spillway/source', 'node', 'development|production']

/**
 * The vitest configuration of every package: tests run on source, with Lua stripped exactly as it is shipped.
 *
 * @param {import('vitest/config').ViteUserConfig} [own] what one package needs beyond it
 * @returns {import('vitest/config').ViteUserConfig}
 */
export function packageTests(own = {}) {
  const shared = defineConfig({
    plugins: [luaText()],
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      include: ['test/**/*.test.{ts,js}'],
      // A package without a test is a mistake, not a pass.
      passWithNoTests: false,
      // On a fresh machine the first hook that starts Redis waits until it has been fetched.
      hookTimeout: 180_000,
      // A hang fails; a slow machine with other things to do does not.
      testTimeout: 60_000,
      // No file changes what others see, so each worker loads the packages once for all its files.
      pool: 'threads',
      isolate: false,
      // Two cores are what we promise to be quick on, and the packages run two at a time already: a
      // second worker would only load everything once more.
      maxWorkers: 1,
      reporters: ['default', 'json'],
      outputFile: { json: '.reports/tests.json' },
    },
  })
  return mergeConfig(shared, own)
}
