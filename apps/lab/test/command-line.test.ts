import { expect, test } from 'vitest'
import { commandLine } from '../src/command-line.js'
import type { Options } from '../src/settings.js'

/** The options that the command which is run is given. */
async function optionsOf(...args: string[]): Promise<Options[]> {
  const given: Options[] = []
  const run = async (options: Options) => given.push(options) && 0
  await commandLine({ both: run, break: run, test: run, load: run, compare: run }).parseAsync(
    args,
    {
      from: 'user',
    },
  )
  return given
}

test('options may stand before the command', async () => {
  expect(await optionsOf('--json', 'load', '--keys', '3')).toEqual([{ json: true, keys: '3' }])
})

test('of one given twice, the last counts, on either side of the command', async () => {
  expect(await optionsOf('--limit', '3', 'break', '--limit', '4')).toEqual([{ limit: '4' }])
  expect(await optionsOf('break', '--limit', '3', '--limit', '4')).toEqual([{ limit: '4' }])
})
