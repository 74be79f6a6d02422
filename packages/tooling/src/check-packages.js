import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { publicPackages } from './workspace.js'

let findings = 0
for (const { dir, manifest } of publicPackages()) {
  const { messages, pkg } = await publint({ pkgDir: dir, pack: 'pnpm', strict: true })
  for (const message of messages) {
    findings += 1
    console.error(
      `${manifest.name}: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
    )
  }
}
console.log(findings === 0 ? 'publint: every package is in order' : `publint: ${findings} findings`)
process.exitCode = findings === 0 ? 0 : 1
