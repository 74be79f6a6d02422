import { setTimeout as sleep } from 'node:timers/promises'
import { TestbedError } from './testbed-error.js'

/**
 * Asks again until the answer is truthy, and returns it.
 *
 * @param what named in the error: `no answer after 15000 ms: redis to be ready`
 * @param check may reject: counts as "not yet", except for a `TestbedError` of code `START_FAILED` or `PORT_TAKEN`
 * @param deadlineMs 15,000 by default: generous, since a slow machine is no failure
 * @throws TestbedError `TIMEOUT`, with the last rejection as its cause
 */
export async function eventually<T>(
  what: string,
  check: () => T | Promise<T>,
  deadlineMs = 15_000,
): Promise<NonNullable<T>> {
  const startedAt = performance.now()
  let lastFailure: unknown
  for (;;) {
    try {
      const answer = await check()
      if (answer) return answer
    } catch (error) {
      if (isFinal(error)) throw error
      lastFailure = error
    }
    if (performance.now() - startedAt > deadlineMs) {
      throw new TestbedError('TIMEOUT', `no answer after ${deadlineMs} ms: ${what}`, {
        cause: lastFailure,
      })
    }
    await sleep(10)
  }
}

function isFinal(error: unknown): boolean {
  return (
    error instanceof TestbedError && (error.code === 'START_FAILED' || error.code === 'PORT_TAKEN')
  )
}
