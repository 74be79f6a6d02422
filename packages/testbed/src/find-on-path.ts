import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The first executable file of that name on the PATH, as `command -v` would find it. */
export async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    const path = join(folder, name)
    try {
      await access(path, constants.X_OK)
      if ((await stat(path)).isFile()) return path
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}
