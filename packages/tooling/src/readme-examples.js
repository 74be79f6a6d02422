import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { threadId } from 'node:worker_threads'
import { workspaceRoot } from './workspace.js'

let runs = 0

/**
 * The TypeScript examples of a README, in order.
 *
 * @param {URL} readme
 * @returns {string[]}
 */
export function readmeExamples(readme) {
  const text = readFileSync(readme, 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

/**
 * What a README says its examples print: for each of them the lines of the `text` block right behind it, or nothing.
 *
 * @param {URL} readme
 * @returns {(readonly string[] | undefined)[]}
 */
export function readmeOutputs(readme) {
  const text = readFileSync(readme, 'utf8')
  return [...text.matchAll(/^```ts\n.*?^```\n(?:\n```text\n(.*?)^```)?/gms)].map(([, lines]) =>
    lines?.trimEnd().split('\n'),
  )
}

/**
 * Runs an example as if it were pasted into a file of its package, under vitest, and returns the lines it printed. Any
 * package of the workspace may be imported, whether or not that package depends on it: readers install what they see.
 *
 * @param {string} example
 * @param {object} options
 * @param {URL} options.folder the package's folder, from which other packages are found
 * @param {Readonly<Record<string, string>>} [options.replace] text that stands for something else here, such as an address
 * @returns {Promise<string[]>}
 */
export async function runExample(example, { folder, replace = {} }) {
  let code = example
  for (const [text, here] of Object.entries(replace)) {
    if (!code.includes(text)) throw new Error(`the example does not contain ${text}`)
    code = code.replaceAll(text, here)
  }
  code = code.replace(/(['"])@spillway\/([a-z0-9-]+)\1/g, (_, quote, name) => {
    return quote + join(workspaceRoot, 'packages', name, 'src/index.ts') + quote
  })
  const scratch = join(fileURLToPath(folder), '.reports')
  mkdirSync(scratch, { recursive: true })
  runs += 1
  const file = join(scratch, `readme-example-${process.pid}-${threadId}-${runs}.ts`)
  writeFileSync(file, code)

  /** @type {string[]} */
  const printed = []
  const { log } = console
  console.log = (...values) => void printed.push(format(...values))
  try {
    await import(/* @vite-ignore */ file)
  } finally {
    console.log = log
    rmSync(file)
  }
  return printed
}
