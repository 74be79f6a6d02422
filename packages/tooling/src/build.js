#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { build } from 'rolldown'
import { nodeTool } from './node-tool.js'
import { packageBuild } from './rolldown.js'
import { readManifest } from './workspace.js'

const dir = process.cwd()
await build(packageBuild(dir))

// Apps have nothing to import, so no types either. The dependencies' types are read as users get them, from their
// own dist, not through our source condition: else their sources would be emitted as ours.
if (readManifest(dir).exports?.['.'] !== undefined) {
  const paths = ['--rootDir', 'src', '--outDir', 'dist']
  const flags = ['--emitDeclarationOnly', '--customConditions', 'null', ...paths]
  const { status } = spawnSync(
    process.execPath,
    [nodeTool('typescript', 'tsc'), '-p', '.', ...flags],
    {
      stdio: 'inherit',
    },
  )
  process.exitCode = status ?? 1
}
