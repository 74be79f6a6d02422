import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { apiText } from '../src/api-text.js'

test('the API is index.d.ts and what it reaches, each once, and nothing else', () => {
  const dist = mkdtempSync(join(tmpdir(), 'spillway-api-'))
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }))
  const files = {
    'index.d.ts':
      "export { a } from './a.js';\nexport type { B } from './b.js';\n//# sourceMappingURL=index.d.ts.map",
    'a.d.ts': "import type { B } from './b.js';\nexport declare const a: B;\n",
    'b.d.ts': "export type B = import('elsewhere').B;\n",
    'inner.d.ts': 'export declare const inner: 1;\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text)
  expect(apiText(dist)).toBe(
    [
      '// index.d.ts',
      "export { a } from './a.js';\nexport type { B } from './b.js';",
      '// a.d.ts',
      "import type { B } from './b.js';\nexport declare const a: B;",
      '// b.d.ts',
      "export type B = import('elsewhere').B;\n",
    ].join('\n\n'),
  )
})
