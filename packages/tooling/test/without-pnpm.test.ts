import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Runs one of our scripts where there is no pnpm. */
function withoutPnpm(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`../src/${script}`, import.meta.url))
  return spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    env: { ...process.env, PATH: import.meta.dirname },
  })
}

const reason = 'There is no pnpm on the PATH: put `npx -y pnpm@12` in front of the command.\n'

test('without pnpm an app says what is missing, and how to start it', () => {
  const { status, stdout, stderr } = withoutPnpm('run-app.js', 'lab')
  expect(stderr).toBe(`${reason}The lab could not be built.\n`)
  expect(stdout).toBe('')
  expect(status).toBe(70)
})

test('without pnpm the tests say so too, and that they have failed', () => {
  const { status, stdout, stderr } = withoutPnpm('run-tests.js', '--filter=@spillway/tooling')
  expect(stderr).toBe(reason)
  expect(stdout).toBe('0 passed, 1 failed\n')
  expect(status).toBe(1)
})
