import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { luaText } from './lua-text.js'
import { readManifest } from './workspace.js'

/**
 * How every package is built: `src/index.ts` (and `src/cli.ts` of an app) to ESM in `dist`, with source maps and with Lua
 * inlined. What package.json declares stays an import; anything else from outside the package is an error, so that no
 * package ships a copy of another.
 *
 * @param {string} dir the package's folder
 * @returns {import('rolldown').BuildOptions}
 */
export function packageBuild(dir) {
  const { dependencies = {}, peerDependencies = {} } = readManifest(dir)
  const declared = Object.keys({ ...dependencies, ...peerDependencies })
  return {
    cwd: dir,
    input: ['src/index.ts', 'src/cli.ts'].filter((entry) => existsSync(join(dir, entry))),
    platform: 'node',
    external: (id) =>
      isBuiltin(id) || declared.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [luaText(), noBundledPackages()],
    output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true },
    onLog(level, log, report) {
      report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log)
    },
  }
}

/** @returns {import('rolldown').Plugin} */
function noBundledPackages() {
  return {
    name: 'spillway:no-bundled-packages',
    resolveId(id, importer) {
      if (importer === undefined || /^[./]/.test(id) || /^[a-zA-Z]:[\\/]/.test(id)) return null
      throw new Error(
        `${importer} imports ${id}, which package.json does not declare as a dependency`,
      )
    },
  }
}
