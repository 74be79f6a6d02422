import { fork } from 'node:child_process'
import type { Findings, Plan, Section } from './section.js'

/**
 * Runs a section in a process of its own: what others have left on the heap, and what the engine
 * has learnt from them, would change its figures.
 *
 * @param cli this program, which is started anew as `cli run-section <name> <plan>`
 */
export function runSection(
  cli: string,
  { name, execArgv = [] }: Section,
  plan: Plan,
  signal: AbortSignal,
): Promise<Findings> {
  return new Promise((resolve, reject) => {
    const child = fork(cli, ['run-section', name, JSON.stringify(plan)], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      signal,
    })
    let found: Findings | undefined
    child.on('message', (message) => {
      found = message as Findings
    })
    child.on('error', reject)
    child.on('exit', (code, ended) => {
      if (found !== undefined) resolve(found)
      else reject(new Error(`${name} ended with ${code ?? ended} and without figures`))
    })
  })
}

/** The other end: runs a section here and hands over what it finds. */
export async function sectionProcess(section: Section, plan: Plan): Promise<void> {
  const findings = await section.run(plan)
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(findings)}\n`)
  else await new Promise((sent) => process.send!(findings, sent))
  process.disconnect?.()
}
