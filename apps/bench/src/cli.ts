#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { TestbedError } from '@spillway/testbed'
import { CommanderError } from 'commander'
import { colorsFor } from './colors.js'
import { commandLine, type Options } from './command-line.js'
import { exitCode } from './exit-code.js'
import { thisMachine } from './machine.js'
import { barsReport, machineLine, sectionReport } from './report.js'
import { type Report, runSection, sectionProcess } from './run-section.js'
import type { Plan } from './section.js'
import { sections } from './sections.js'
import { svgOf } from './svg.js'

const out = colorsFor(process.stdout)

const thorough: Plan = { isQuick: false, rounds: 5, roundMs: 45, warmUpMs: 90 }
const quick: Plan = { isQuick: true, rounds: 1, roundMs: 5, warmUpMs: 0 }

const interruption = new AbortController()

async function bench({ quick: isQuick, json, svg, only }: Options): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort(signal))
  }
  const plan = isQuick ? quick : thorough
  const chosen = only ? only.map(sectionNamed) : sections.filter(({ onDemand }) => !onDemand)
  const machine = await thisMachine()
  if (!json) print(['', machineLine(machine), ''])
  const found: Record<string, Report> = {}
  for (const section of chosen) {
    if (process.stderr.isTTY) process.stderr.write(`Measuring: ${section.name} …`)
    const report = await runSection(
      fileURLToPath(import.meta.url),
      section,
      plan,
      interruption.signal,
    )
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
    if (!json) print(sectionReport(report, out))
    found[section.name] = report
  }
  const bars = Object.values(found).flatMap((findings) => findings.bars)
  if (svg !== undefined) {
    const charts = Object.values(found).flatMap((findings) => findings.charts)
    await writeFile(svg, svgOf(charts, machineLine(machine)))
  }
  if (json) {
    const figures = Object.fromEntries(
      Object.entries(found).map(([name, findings]) => [name, findings.figures]),
    )
    print([JSON.stringify({ machine, isQuick: plan.isQuick, bars, figures }, null, 2)])
  } else if (bars.length > 0) print(barsReport(bars, out))
}

function sectionNamed(name: string) {
  const section = sections.find((one) => one.name === name)
  if (section !== undefined) return section
  const names = sections.map((one) => one.name).join(', ')
  throw new UsageError(`only must name sections (${names}), got ${JSON.stringify(name)}`)
}

class UsageError extends Error {}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

const program = commandLine(
  sections.map(({ name }) => name),
  {
    bench,
    section: (name, plan) => sectionProcess(sectionNamed(name), JSON.parse(plan)),
    serve: async (name, redisUrl) => (await import('./http/servers.js')).serve(name, redisUrl),
  },
)
try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = failure(error)
}

/** Tells in one line why there are no figures, and returns the exit code that says so. */
function failure(error: unknown): number {
  if (interruption.signal.aborted) {
    process.stderr.write(`Stopped by ${interruption.signal.reason}.\n`)
    return exitCode.interrupted
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.usage
  if (error instanceof UsageError || error instanceof TestbedError) {
    process.stderr.write(`${error.message}\n`)
    return error instanceof UsageError ? exitCode.usage : exitCode.noResult
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return exitCode.bug
}
