import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from '../src/in-turns.js'

/** What each turn gave way to, in order, when all of these were asked for in one turn. */
async function turnsOf(most: number, pieces: readonly number[]): Promise<number[][]> {
  const turnFor = inTurns(most)
  const turns: number[][] = [[]]
  for (const units of pieces) {
    const turn = turnFor(units)
    if (turn === undefined) turns[0]!.push(units)
    else void turn.then(() => turns.at(-1)!.push(units))
  }
  while (turns.flat().length < pieces.length) {
    turns.push([])
    await setImmediate()
    expect(turns.length).toBeLessThanOrEqual(pieces.length)
  }
  return turns
}

test.each([
  [[32], [[32]]],
  [
    [16, 16, 1],
    [[16, 16], [1]],
  ],
  [
    [32, 32, 32],
    [[32], [32], [32]],
  ],
  [
    [1, 32, 1],
    [[1], [32], [1]],
  ], // none overtakes another
  [
    [100, 1],
    [[100], [1]],
  ], // more than a turn takes has a turn of its own
])('%j, 32 a turn, take the turns %j', async (pieces, turns) => {
  expect(await turnsOf(32, pieces)).toEqual(turns)
})

test('what comes while others wait goes behind them, and after a pause at once', async () => {
  const turnFor = inTurns(1)
  const order: string[] = []
  expect(turnFor(1)).toBeUndefined()
  const second = turnFor(1)!.then(() => {
    order.push('second')
    return turnFor(1)?.then(() => order.push('fourth'))
  })
  const third = turnFor(1)!.then(() => order.push('third'))
  await Promise.all([second, third])
  expect(order).toEqual(['second', 'third', 'fourth'])
  for (let turn = 0; turn < 2; turn++) await setImmediate()
  expect(turnFor(1)).toBeUndefined()
})
