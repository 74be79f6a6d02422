import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The path of a tool's own script, to be run by this very Node: no PATH and no shell in between.
 *
 * @param {string} name the package
 * @param {string} bin the command it installs
 * @returns {string}
 */
export function nodeTool(name, bin) {
  const manifestPath = createRequire(import.meta.url).resolve(`${name}/package.json`)
  /** @type {{ bin: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const script = manifest.bin[bin]
  if (script === undefined) throw new Error(`package ${name} has no command ${bin}`)
  return join(dirname(manifestPath), script)
}
