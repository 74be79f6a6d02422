#!/usr/bin/env node
import { constants } from 'node:os'
import { SpillwayError } from '@spillway/core'
import { CommanderError } from 'commander'
import { asTaught } from './as-taught.js'
import { boundaryJson } from './boundary-json.js'
import { boundaryReport } from './boundary-report.js'
import { runBoundary } from './boundary-run.js'
import { colorsFor } from './colors.js'
import { commandLine } from './command-line.js'
import { compareJson } from './compare-json.js'
import { compareMarkdown } from './compare-markdown.js'
import { compareReport } from './compare-report.js'
import { compareSvg } from './compare-svg.js'
import { exitCode } from './exit-code.js'
import { lessons } from './lessons.js'
import { loadBar } from './load-bar.js'
import { loadJson } from './load-json.js'
import { loadReport } from './load-report.js'
import { NoResult } from './no-result.js'
import { pictureFile } from './picture-file.js'
import { progressOn } from './progress.js'
import { runLoad } from './run-load.js'
import { openSession, type Session } from './session.js'
import {
  type AlgorithmName,
  boundarySettings,
  compareSettings,
  loadSettings,
  type Options,
  type StoreSettings,
} from './settings.js'
import { summaryReport } from './summary-report.js'

const out = colorsFor(process.stdout)
const progress = progressOn(process.stderr, colorsFor(process.stderr))

/** Both lessons, one after the other, and side by side. */
async function both(options: Options): Promise<number> {
  const settings = boundarySettings(options)
  return withSession(settings, async (session) => {
    const show = (lines: readonly string[]) => options.json || print([...lines, ''])
    const broken = await runBoundary('fixed', settings, session, progress)
    show(boundaryReport(broken, out))
    const sound = await runBoundary('sliding', settings, session, progress)
    show(boundaryReport(sound, out))

    const isAsTaught = asTaught(broken) && asTaught(sound)
    show(summaryReport([broken, sound], isAsTaught, out))
    if (options.json) {
      printJson({ break: boundaryJson(broken), test: boundaryJson(sound), asTaught: isAsTaught })
    }
    return isAsTaught ? exitCode.held : exitCode.broken
  })
}

/** One lesson: `break` is the fixed window's, `test` the sliding window's. */
function one(algorithm: AlgorithmName): (options: Options) => Promise<number> {
  return async (options) => {
    const settings = boundarySettings(options)
    return withSession(settings, async (session) => {
      const run = await runBoundary(algorithm, settings, session, progress)
      if (options.json) printJson(boundaryJson(run))
      else print(boundaryReport(run, out))
      return run.crossing.held ? exitCode.held : exitCode.broken
    })
  }
}

/** Many workers on many keys, and a check of everything they were allowed. */
async function load(options: Options): Promise<number> {
  const settings = loadSettings(options)
  return withSession(settings, async (session) => {
    const policy = lessons[settings.algorithm].policy(settings.limit, settings.windowMs)
    const bar = loadBar(settings)
    const result = await runLoad({ ...settings, session, policy, onTick: bar.update }).finally(
      bar.stop,
    )
    const run = { settings, policy, session, result }
    if (options.json) printJson(loadJson(run))
    else print(loadReport(run, out))
    return result.held ? exitCode.held : exitCode.broken
  })
}

/** Every algorithm under attack: what it promises, what was got, and what it costs. */
async function compared(options: Options): Promise<number> {
  const settings = compareSettings(options)
  const picture = settings.svg === undefined ? undefined : await pictureFile(settings.svg)
  // These load every algorithm and the conformance kit, which the other commands do without.
  const { compare } = await import('./compare.js')
  const { contenders } = await import('./contenders.js')
  return withSession(settings, async (session) => {
    const run = {
      settings,
      session,
      compared: await compare({ ...settings, contenders, session, progress }),
    }
    if (settings.output === 'json') printJson(compareJson(run))
    else print(settings.output === 'markdown' ? compareMarkdown(run) : compareReport(run, out))
    await picture?.write(compareSvg(run))
    return run.compared.every(({ held }) => held) ? exitCode.held : exitCode.broken
  })
}

const interruption = new AbortController()

/** Opens a session for `use`, and ends it however `use` ends. */
async function withSession(
  settings: StoreSettings,
  use: (session: Session) => Promise<number>,
): Promise<number> {
  const session = await openSession(settings, interruption.signal, progress.note)
  try {
    return await use(session)
  } catch (error) {
    // Whatever failed then, failed because of this.
    throw session.signal.aborted ? session.signal.reason : error
  } finally {
    await session.close()
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** Tells in one line why there is no result, and returns the exit code that says so. */
function failure(error: unknown): number {
  const { aborted, reason } = interruption.signal
  if (aborted) {
    progress.note('Stopped.')
    return 128 + constants.signals[reason as Signal]
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.held : exitCode.usage
  if (error instanceof SpillwayError && error.code === 'INVALID_ARGUMENT') {
    progress.note(error.message)
    return exitCode.usage
  }
  if (error instanceof NoResult || error instanceof SpillwayError) {
    progress.note(error.message)
    return exitCode.noResult
  }
  console.error(error)
  return exitCode.bug
}

type Signal = (typeof endings)[number]
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// Once each: who insists ends it at once, and what was started then ends with this process.
for (const signal of endings) process.once(signal, () => interruption.abort(signal))
// Whoever reads our output may have read enough of it.
process.stdout.on('error', () => {})

commandLine({ both, break: one('fixed'), test: one('sliding'), load, compare: compared })
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = failure(error)
  })
