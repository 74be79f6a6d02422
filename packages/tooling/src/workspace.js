import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What we read of a package.json.
 *
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {string} [type]
 * @property {boolean} [sideEffects]
 * @property {string} [license]
 * @property {string} [description]
 * @property {{ url: string, directory?: string }} [repository]
 * @property {string[]} [files]
 * @property {Record<string, unknown>} [exports]
 * @property {{ access?: string, exports?: Record<string, unknown> }} [publishConfig]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [engines]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/** @typedef {{ readonly folder: string, readonly dir: string, readonly manifest: Manifest }} WorkspacePackage */

/** The top folder of the workspace. */
export const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Every package of the workspace, in alphabetical order: a new folder is found by itself.
 *
 * @returns {WorkspacePackage[]}
 */
export function workspacePackages() {
  return ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(workspaceRoot, group))
      .sort()
      .map((name) => ({ folder: `${group}/${name}`, dir: join(workspaceRoot, group, name) }))
      .filter(({ dir }) => existsSync(join(dir, 'package.json')))
      .map((found) => ({ ...found, manifest: readManifest(found.dir) })),
  )
}

/**
 * The packages that are published.
 *
 * @returns {WorkspacePackage[]}
 */
export function publicPackages() {
  return workspacePackages().filter(({ manifest }) => manifest.private !== true)
}

/**
 * @param {string} dir a package's folder
 * @returns {Manifest}
 */
export function readManifest(dir) {
  return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
}
