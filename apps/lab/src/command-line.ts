import { invalid } from '@spillway/core'
import { Command } from 'commander'
import type { Options } from './settings.js'

/** What each command does with its options; it resolves to an exit code. */
interface Commands {
  readonly both: (options: Options) => Promise<number>
  readonly break: (options: Options) => Promise<number>
  readonly test: (options: Options) => Promise<number>
  readonly load: (options: Options) => Promise<number>
  readonly compare: (options: Options) => Promise<number>
}

/**
 * The lab's command line: commands, options and help. Values are read in `settings.ts`.
 *
 * `parseAsync` rejects with what a command rejected with, or with a `CommanderError` of which
 * people have been told already.
 */
export function commandLine(commands: Commands): Command {
  const lab = new Command('lab')
    .description(
      'What a fixed window lets through at the boundary of two windows, and a sliding window does not.\n' +
        'Without a command: break, then test, and both side by side.',
    )
    .enablePositionalOptions()
    .helpCommand(true)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(`${text.trim().replace('error: ', '').replaceAll('\n', ' ')}\n`),
    })
    .allowExcessArguments()
  withBoundaryOptions(lab).action(async (options: Options, command: Command) => {
    const [unknown] = command.args
    if (unknown !== undefined)
      throw invalid('command', 'must be break, test, load or compare', unknown)
    process.exitCode = await commands.both(options)
  })

  const add = (name: string, description: string, run: (options: Options) => Promise<number>) =>
    lab
      .command(name)
      .description(description)
      .allowExcessArguments(false)
      .action(async (_: Options, command: Command) => {
        // What stands behind the command is nearer to it than what stands before it.
        process.exitCode = await run({ ...lab.opts(), ...command.opts() })
      })
  withBoundaryOptions(
    add(
      'break',
      'Break a fixed window at its boundary. Exits 1, because the limit was broken.',
      commands.break,
    ),
  )
  withBoundaryOptions(
    add('test', 'The same requests on a sliding window. Exits 0 if its limit held.', commands.test),
  )
  withLoadOptions(
    add(
      'load',
      'Many workers on many keys, every admitted request checked. Exits 0 if the promise held.',
      commands.load,
    ),
  )
  withCompareOptions(
    add(
      'compare',
      'Every algorithm at its worst: what it promises, what an adversary gets, and what it costs. Exits 0 if every promise held.',
      commands.compare,
    ),
  )
  return lab.addHelpText('after', exitCodesHelp)
}

function withBoundaryOptions(command: Command): Command {
  return withStoreOptions(
    command
      .option('--limit <count>', 'requests allowed in a window (default: 8)')
      .option(
        '--window <duration>',
        'length of the window, with its unit: 500ms, 10s, 1m (default: 10s)',
      )
      .option('--requests <count>', 'requests on each side of the boundary (default: the limit)'),
  )
}

function withLoadOptions(command: Command): Command {
  return withStoreOptions(
    command
      .option('--algorithm <name>', 'sliding or fixed (default: sliding)')
      .option('--limit <count>', 'requests allowed to a key in a window (default: 500)')
      .option(
        '--window <duration>',
        'length of the window, with its unit: 500ms, 10s, 1m (default: 2s)',
      )
      .option('--workers <count>', 'how many ask at the same time (default: 64)')
      .option('--keys <count>', 'how many keys they ask for (default: 200)')
      .option('--seconds <count>', 'for how long (default: 10)')
      .option('--requests <count>', 'stop after this many requests (default: when the time is up)'),
  )
}

function withCompareOptions(command: Command): Command {
  return withStoreOptions(
    command
      .option('--limit <count>', 'requests allowed in a window (default: 10)')
      .option(
        '--window <duration>',
        'length of the window, with its unit: 500ms, 10s, 1m (default: 10s)',
      )
      .option('--svg <file>', 'write a picture of it to this file')
      .option('--markdown', 'print the table as Markdown, and nothing else, on standard output'),
  )
}

function withStoreOptions(command: Command): Command {
  return command
    .option('--store <name>', 'redis or memory (default: redis, or memory if there is none)')
    .option('--driver <name>', 'ioredis or node-redis (default: ioredis)')
    .option(
      '--redis-url <url>',
      'the Redis to use (default: REDIS_URL, or one started for the run)',
    )
    .option('--json', 'print one JSON document, and nothing else, on standard output')
}

const exitCodesHelp = `
Exit codes:
  0    the limit held (without a command: both behave as the lesson says)
  1    the limit was broken
  2    an option or command is wrong
  3    no result: Redis is gone or cannot be reached, or this machine was too busy
  130  interrupted`
