import { eventually } from '@spillway/testbed'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { redisStore } from '../src/index.js'
import { ask, type Bench, consume, freshKey, nextTurn, openBench } from './bench.js'
import { counter } from './counter.js'

const policy = counter()
let bench: Bench

beforeAll(async () => {
  bench = await openBench()
  const store = redisStore(await bench.connect())
  await store.decide(consume(policy, freshKey())) // from here on the server knows the script
})

afterAll(() => bench.close())

test.each([
  [1, 1],
  [2, 1],
  [32, 1],
  [33, 2],
  [100, 4],
])('%i requests of one turn travel in %i calls', async (requests, calls) => {
  const store = redisStore(await bench.connect())
  const key = freshKey()
  const rulings = await Promise.all(
    Array.from({ length: requests }, async () => store.decide(consume(policy, key))),
  )
  expect(bench.scriptCommands()).toEqual(Array(calls).fill('EVALSHA'))
  expect(rulings.map(({ targets }) => targets[0]!.receipt)).toEqual(
    Array.from({ length: requests }, (_, i) => i + 1),
  )
})

test('requests of different turns travel apart', async () => {
  const store = redisStore(await bench.connect())
  const first = store.decide(consume(policy, freshKey()))
  await nextTurn()
  await Promise.all([first, store.decide(consume(policy, freshKey()))])
  expect(bench.proxy.count('EVALSHA')).toBe(2)
})

test('no call waits for the answer of another', async () => {
  const driver = await bench.connect()
  const store = redisStore(driver)
  await bench.server.pause()
  const answers: Promise<unknown>[] = []
  for (let turn = 1; turn <= 3; turn++) {
    answers.push(ask(store, consume(policy, freshKey())))
    await nextTurn()
    expect(driver.calls).toBe(turn)
  }
  await bench.server.resume()
  await Promise.all(answers)
})

test('a lone request goes out in the turn it was asked in, and sets no timer', async () => {
  const driver = await bench.connect()
  const store = redisStore(driver)
  const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')]
  try {
    const answer = store.decide(consume(policy, freshKey()))
    await new Promise((resolve) => setImmediate(resolve))
    expect(driver.calls).toBe(1)
    await answer
    for (const timer of timers) expect(timer).not.toHaveBeenCalled()
  } finally {
    for (const timer of timers) timer.mockRestore()
  }
})

test('what is asked before, by and after a forget happens in this order', async () => {
  const store = redisStore(await bench.connect())
  const key = freshKey()
  const before = [store.decide(consume(policy, key)), store.decide(consume(policy, key))]
  const forgotten = store.forget([key])
  const after = store.decide(consume(policy, key))
  const receipts = (await Promise.all([...before, after])).map(({ targets }) => targets[0]!.receipt)
  await forgotten
  expect(receipts).toEqual([1, 2, 1])
})

test('forgets many keys at once, and none of the others', async () => {
  const store = redisStore(await bench.connect())
  const keys = Array.from({ length: 5 }, freshKey)
  await Promise.all(keys.map(async (key) => store.decide(consume(policy, key))))
  await store.forget(keys.slice(0, 4))
  expect(await bench.server.command('EXISTS', ...keys)).toBe(1)
})

test('one call decides unlike requests, each for itself', async () => {
  const store = redisStore(await bench.connect())
  const tight = counter({ limit: 1 })
  const [a, b] = [freshKey(), freshKey()]
  const rulings = await Promise.all([
    store.decide(consume(tight, a)),
    store.decide(consume(tight, a)),
    store.decide(consume(policy, b)),
    store.decide(consume(tight, a, 'look')),
    store.decide(consume(tight, a, 'charge')),
    store.decide({ mode: 'giveBack', targets: [{ policy, key: b, cost: 1, receipt: 1 }] }),
    store.decide({
      mode: 'consume',
      targets: [
        { policy, key: b, cost: 3 },
        { policy: tight, key: a, cost: 1, shadow: true },
      ],
    }),
    store.decide({
      mode: 'consume',
      targets: [
        { policy, key: b, cost: 3 },
        { policy: tight, key: a, cost: 1 },
      ],
    }),
  ])
  expect(bench.proxy.count('EVALSHA')).toBe(1)
  expect(rulings.map(({ allowed }) => allowed)).toEqual([
    true,
    false,
    true,
    false,
    true,
    true,
    true,
    false,
  ])
  expect(rulings[6]!.targets.map(({ allowed }) => allowed)).toEqual([true, false])
  expect(await bench.server.command('GET', a)).toBe('2')
  expect(await bench.server.command('GET', b)).toBe('3')
})

test('a request asked while the client connects is sent once it has', async () => {
  const driver = await bench.connect()
  let open = (): void => {}
  let ready = false
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const store = redisStore({ ...driver, ready: () => ready, opened: () => opened })
  const key = freshKey()
  const answers = Promise.all([store.decide(consume(policy, key)), store.forget([key])])
  await nextTurn()
  expect(bench.proxy.count('EVALSHA')).toBe(0)
  ready = true
  open()
  await answers
  await eventually('both to have been sent', () => bench.proxy.count('DEL') === 1)
  expect(bench.proxy.seen.map(([name]) => name)).toEqual(['EVALSHA', 'DEL'])
})
