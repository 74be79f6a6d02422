import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linuxRelease } from './linux-release.js'

/**
 * Where a fetched Redis lives: below `node_modules` of the checkout, so that it is never committed and goes with it.
 * One folder per distribution and processor, since a checkout may be shared with a container.
 */
export function cacheFolder(): string {
  const { ids, version } = linuxRelease()
  const system = [ids[0] ?? process.platform, version, process.arch].filter(Boolean).join('-')
  return join(checkout(), 'node_modules', '.cache', 'spillway', 'redis', system)
}

function checkout(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return folder
    const parent = dirname(folder)
    if (parent === folder) return process.cwd()
    folder = parent
  }
}
