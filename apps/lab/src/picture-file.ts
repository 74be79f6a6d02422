import { access, constants, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { invalid } from '@spillway/core'
import { NoResult } from './no-result.js'

/**
 * A file to write to later, after making sure that its folder is there.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` if nothing can be written there
 */
export async function pictureFile(
  path: string,
): Promise<{ write(content: string): Promise<void> }> {
  await access(dirname(path), constants.W_OK).catch(() => {
    throw invalid('--svg', 'must be a file in a folder that can be written to', path)
  })
  return {
    async write(content) {
      await writeFile(path, content).catch((error: Error) => {
        throw new NoResult(`The picture could not be written: ${error.message}`, { cause: error })
      })
    },
  }
}
