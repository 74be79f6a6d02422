import { createHash } from 'node:crypto'
import { type Algorithm, SpillwayError } from '@spillway/core'
import kernel from './kernel.lua'

/** A script as Redis knows it. */
interface Script {
  readonly text: string
  /** The SHA-1 of the text in hexadecimal. */
  readonly sha: string
}

/** The kernel over all algorithms that one store has met. */
export interface ScriptBook {
  /**
   * Makes sure that the script knows this algorithm.
   *
   * @throws SpillwayError `CONTRACT_MISMATCH` if it knows another one of the same name
   */
  add(algorithm: Algorithm): void
  /** The script over all algorithms added so far. */
  readonly script: Script
}

/**
 * Composes one script per set of algorithms. Parameters travel as arguments, so a server sees few
 * texts, however many limiters there are.
 */
export function scriptBook(): ScriptBook {
  const sources = new Map<string, string>()
  let script: Script | undefined
  return {
    add({ name, lua }) {
      const known = sources.get(name)
      if (known === lua) return
      if (known !== undefined) {
        throw new SpillwayError(
          'CONTRACT_MISMATCH',
          `two versions of the algorithm "${name}" are in use: install one version of its package`,
        )
      }
      sources.set(name, lua)
      script = undefined
    },
    get script() {
      script ??= compose(sources)
      return script
    },
  }
}

function compose(sources: ReadonlyMap<string, string>): Script {
  const names = [...sources.keys()].sort()
  const modules = names.map((name) => `['${name}'] = function()\n${sources.get(name)}\nend`)
  const text = `local algorithms = {\n${modules.join(',\n')}\n}\n${kernel}`
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}
