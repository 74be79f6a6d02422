import { fork } from 'node:child_process'
import type { Findings, Plan, Section } from './section.js'
import type { NamedSection } from './sections.js'

/** A section's title, and what it has found. */
export type Report = Pick<Section, 'title'> & Findings

/**
 * Runs a section in a process of its own: what others have left on the heap, and what the engine
 * has learnt from them, would change its figures.
 *
 * @param cli this program, which is started anew as `cli run-section <name> <plan>`
 */
export function runSection(
  cli: string,
  { name, execArgv = [] }: NamedSection,
  plan: Plan,
  signal: AbortSignal,
): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = fork(cli, ['run-section', name, JSON.stringify(plan)], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      signal,
    })
    let found: Report | undefined
    child.on('message', (message) => {
      found = message as Report
    })
    child.on('error', reject)
    child.on('exit', (code, ended) => {
      if (found !== undefined) resolve(found)
      else reject(new Error(`${name} ended with ${code ?? ended} and without figures`))
    })
  })
}

/** The other end: runs a section here and hands over what it finds. */
export async function sectionProcess(section: NamedSection, plan: Plan): Promise<void> {
  const { title, run } = await section.load()
  const report: Report = { title, ...(await run(plan)) }
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(report)}\n`)
  else await new Promise((sent) => process.send!(report, sent))
  process.disconnect?.()
}
