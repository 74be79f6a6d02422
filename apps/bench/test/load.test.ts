import { expect, test } from 'vitest'
import { load } from '../src/load.js'

test('as many are asked for at the same time as it was told, key after key', async () => {
  let now = 0
  let most = 0
  const keys = ['a', 'b', 'c']
  const asked: string[] = []
  const decide = async (key: string): Promise<void> => {
    asked.push(key)
    now += 1
    most = Math.max(most, now)
    await new Promise(setImmediate)
    now -= 1
  }
  const round = await load(decide, { concurrency: 5, forMs: 20, keys })
  expect(most).toBe(5)
  expect(round.decisions).toBe(asked.length)
  expect(asked).toEqual(asked.map((_, i) => keys[i % 3]))
  expect(round.p99Us).toBeGreaterThanOrEqual(round.p50Us)
})
