import { describe, expect, test } from 'vitest'
import { createLimiter, SpillwayError, type Store } from '../src/index.js'
import { tally } from './tally.js'

function broken(error: unknown): Store {
  const fail = () => Promise.reject(error)
  return { decide: fail, forget: fail }
}

describe('a broken store is told as it is, and never an allow:', () => {
  test.each([
    new SpillwayError('STORE_UNAVAILABLE', 'down', { cause: new Error('ECONNREFUSED') }),
    new SpillwayError('STORE_INDETERMINATE', 'lost', { cause: new Error('ECONNRESET') }),
    new TypeError('a mistake in somebody’s store'),
  ])('%o', async (error) => {
    const limiter = createLimiter({ store: broken(error), policies: { p: tally(1) } })
    await expect(limiter.consume('k')).rejects.toBe(error)
    await expect(limiter.peek('k')).rejects.toBe(error)
    await expect(limiter.reset('k')).rejects.toBe(error)
  })
})

test('a failure leaves nothing behind: the next call asks again', async () => {
  let calls = 0
  const limiter = createLimiter({
    store: {
      async decide() {
        calls += 1
        throw new SpillwayError('STORE_UNAVAILABLE', 'down', { cause: undefined })
      },
      async forget() {},
    },
    policies: { p: tally(1) },
  })
  for (let i = 0; i < 3; i++) await expect(limiter.consume('k')).rejects.toThrow('down')
  expect(calls).toBe(3)
})

test('the one error has a name, a code and a cause, and is an Error', () => {
  const cause = new Error('why')
  const error = new SpillwayError('STORE_UNAVAILABLE', 'what', { cause })
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'SpillwayError', code: 'STORE_UNAVAILABLE', cause })
  expect(String(error)).toBe('SpillwayError: what')
})
