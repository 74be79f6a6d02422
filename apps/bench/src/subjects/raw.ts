import { createHash } from 'node:crypto'
import { connect } from '../connection.js'
import type { Driver, Group, Limit, Subject } from '../subject.js'

/** A command or a script that is called directly, once per request. */
interface Raw {
  readonly name: string
  readonly group: Group
  /** Called by EVALSHA. Without one: INCR. */
  readonly script?: string
  /** The arguments of the script behind its key. */
  readonly args?: (limit: Limit) => string[]
  readonly allows: (answer: unknown) => boolean | undefined
}

/** A subject without a library. */
export function rawSubject(driver: Driver, raw: Raw): Subject {
  const { name, group, script, args = () => [], allows } = raw
  return {
    name,
    group,
    driver,
    async open(url, limit) {
      const connection = await connect(driver, url)
      const { close } = connection
      if (script === undefined) return { decide: (key) => connection.incr(key), allows, close }
      await connection.load(script)
      const sha = createHash('sha1').update(script).digest('hex')
      return { decide: (key) => connection.evalsha(sha, key, args(limit)), allows, close }
    },
  }
}
