import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { luaText } from '@spillway/tooling/lua-text'
import { build, type Plugin } from 'rolldown'
import type * as Kit from './kit.js'
import type { Mutant } from './mutant.js'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Loads all of Spillway from source as a module graph of its own, with one file changed: rules,
 * stores, adapters, limiter, and the laws that judge them.
 *
 * @param change what to change; default: nothing
 * @throws Error if the text to be changed does not stand in the file exactly once, or the file is
 *   not part of Spillway
 */
export async function loadKit(
  change?: Pick<Mutant, 'file' | 'find' | 'replace'>,
): Promise<typeof Kit> {
  const patches: Plugin[] = []
  let patched = false
  if (change !== undefined) {
    const file = packages + change.file
    const code = mutated(readFileSync(file, 'utf8'), change)
    patches.push({
      name: 'spillway:mutant',
      load(id) {
        if (id !== file) return null
        patched = true
        return { code, moduleType: file.endsWith('.lua') ? 'js' : 'ts' }
      },
    })
  }
  const { output } = await build({
    input: fileURLToPath(new URL('kit.ts', import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['@spillway/source', 'import', 'node', 'default'] },
    plugins: [...patches, luaText(), oneFastCheck()],
    write: false,
  })
  if (change !== undefined && !patched) throw new Error(`${change.file} is not part of Spillway`)
  const source = Buffer.from(output[0].code).toString('base64')
  return import(`data:text/javascript;base64,${source}`)
}

/** Leaves fast-check out: one that is loaded once for all mutants stays fast. */
function oneFastCheck(): Plugin {
  return {
    name: 'spillway:one-fast-check',
    async resolveId(id, importer) {
      if (id !== 'fast-check') return null
      const found = await this.resolve(id, importer, { skipSelf: true })
      return found && { id: pathToFileURL(found.id).href, external: true }
    },
  }
}

function mutated(
  code: string,
  { file, find, replace }: Pick<Mutant, 'file' | 'find' | 'replace'>,
): string {
  const [before, after, ...others] = code.split(find)
  if (after === undefined || others.length > 0) {
    throw new Error(
      `this stands ${others.length + (after === undefined ? 0 : 1)} times in ${file}, not once: ${find}`,
    )
  }
  return before + replace + after
}
