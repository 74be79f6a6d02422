import { Command } from 'commander'

/** What the benchmark can be asked for. */
export interface Options {
  readonly quick?: boolean
  readonly json?: boolean
  readonly svg?: string
  readonly only?: readonly string[]
}

interface Commands {
  readonly bench: (options: Options) => Promise<void>
  /** One section, in a process of its own: see `runSection`. */
  readonly section: (name: string, plan: string) => Promise<void>
  /** A server for the section of the servers. */
  readonly serve: (name: string, redisUrl: string) => Promise<void>
}

/** `parseAsync` rejects with a `CommanderError` of which people have been told already. */
export function commandLine(sections: readonly string[], commands: Commands): Command {
  const bench = new Command('bench')
    .description('What a decision costs, beside bare Redis commands and beside peers.')
    .option('--only <section...>', `measure only these: ${sections.join(', ')}`)
    .option('--svg <file>', 'draw the figures too')
    .option('--json', 'print one JSON document, and nothing else, on standard output')
    .option('--quick', 'only see that everything runs; the figures mean nothing')
    .exitOverride()
    .action((options: Options) => commands.bench(options))
  bench.command('run-section <name> <plan>', { hidden: true }).action(commands.section)
  bench.command('serve <name> <redis-url>', { hidden: true }).action(commands.serve)
  return bench
}
