import { ioredisStore } from '@spillway/adapter-ioredis'
import { createLimiter } from '@spillway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactSlidingWindow } from '../src/index.js'
import { openRedis } from './open-redis.js'
import { recordAll } from './record-all.js'

// The stored format is public and stays as it is: a change of what stands here needs a new name
// for the algorithm.

const start = 1_800_000_000_000_000
const second = 1_000_000
let redis: Awaited<ReturnType<typeof openRedis>>

beforeAll(async () => {
  redis = await openRedis()
})
afterAll(() => redis?.close())

/** A limiter on a manual clock, and what Redis holds of one key; times count from the start here. */
function opened(key: string, limit = 8) {
  const clock = { now: start }
  const limiter = createLimiter({
    store: ioredisStore(redis.client, { clock: () => clock.now }),
    prefix: redis.prefix,
    policies: { api: compactSlidingWindow({ limit, window: '10s' }) },
  })
  const stored = `${redis.prefix}:api:compact-sliding-window:{${key}}`
  return {
    clock,
    limiter,
    stored,
    held: async () =>
      (await redis.client.lrangeBuffer(stored, 0, -1)).map((element) => {
        if (element[0]! < 32) return `packed ${BigInt(`0x${element.toString('hex')}`)}`
        return Number(element) >= start ? Number(element) - start : String(element)
      }),
    async consumeAt(us: number, cost = 1) {
      clock.now = start + us
      const decision = await limiter.consume(key, cost)
      if (!decision.allowed) throw new Error('denied')
      return decision
    },
  }
}

describe('while all costs are 1, Redis holds a plain list', () => {
  test('of the time of each unit, in microseconds, oldest first', async () => {
    const { consumeAt, stored } = opened('plain')
    await consumeAt(0)
    await consumeAt(0)
    await consumeAt(2 * second)
    expect(await redis.client.lrange(stored, 0, -1)).toEqual([
      '1800000000000000',
      '1800000000000000',
      '1800000002000000',
    ])
  })

  test('from which what has left the window goes with the next unit, at the microsecond', async () => {
    const { consumeAt, held } = opened('trim')
    await consumeAt(0)
    await consumeAt(1)
    await consumeAt(10 * second)
    expect(await held()).toEqual([1, 10 * second])
  })

  test('in which a denial and a look leave everything as it was', async () => {
    const { clock, consumeAt, limiter, held } = opened('denied', 1)
    await consumeAt(0)
    clock.now += 1
    await limiter.consume('denied')
    clock.now += 20 * second
    await limiter.peek('denied')
    expect(await held()).toEqual([0])
  })

  test('from which a refund takes units of its own time, at the head, in the middle and at the tail', async () => {
    const { consumeAt, limiter, held } = opened('refund')
    const decisions = []
    for (const at of [0, 5, 5, 9, 12]) decisions.push(await consumeAt(at))
    await limiter.refund(decisions[2]!)
    expect(await held()).toEqual([0, 5, 9, 12])
    await limiter.refund(decisions[0]!)
    expect(await held()).toEqual([5, 9, 12])
    await limiter.refund(decisions[4]!)
    expect(await held()).toEqual([5, 9])
  })
})

describe('from the first other cost on, Redis holds a weighted list', () => {
  test('of each time with the running total ahead of it, and last the whole of it, negative', async () => {
    const { consumeAt, held } = opened('weighted', 100)
    await consumeAt(0, 3)
    expect(await held()).toEqual([0, '0', '-3'])
    await consumeAt(7, 20)
    await consumeAt(9)
    expect(await held()).toEqual([0, '0', 7, '3', 9, '23', '-24'])
  })

  test('in which every time stands once', async () => {
    const { consumeAt, held } = opened('once', 100)
    await consumeAt(0, 3)
    await consumeAt(0, 2)
    await consumeAt(0)
    expect(await held()).toEqual([0, '0', '-6'])
  })

  test('which a plain one becomes: units of one time are one entry from then on', async () => {
    const { consumeAt, held } = opened('weigh', 100)
    for (const at of [0, 4, 4, 4, 6]) await consumeAt(at)
    await consumeAt(8, 5)
    expect(await held()).toEqual([0, '0', 4, '1', 6, '4', 8, '5', '-10'])
  })

  test('also at the time of the newest unit', async () => {
    const { consumeAt, held } = opened('weigh at once', 100)
    await consumeAt(0)
    await consumeAt(4)
    await consumeAt(4, 5)
    expect(await held()).toEqual([0, '0', 4, '1', '-7'])
  })

  test('whose running totals go on when entries have left', async () => {
    const { consumeAt, held } = opened('leave', 100)
    await consumeAt(0, 3)
    await consumeAt(5 * second, 20)
    await consumeAt(10 * second, 4)
    expect(await held()).toEqual([5 * second, '3', 10 * second, '23', '-27'])
  })

  test('until it has been empty: then it is plain again', async () => {
    const { consumeAt, held } = opened('plain again', 100)
    await consumeAt(0, 3)
    await consumeAt(10 * second)
    expect(await held()).toEqual([10 * second])
    await consumeAt(20 * second, 2)
    expect(await held()).toEqual([20 * second, '0', '-2'])
  })

  test('from which a refund takes units, and the entry with the last of them: at the head', async () => {
    const { consumeAt, limiter, held } = opened('head', 100)
    const decision = await consumeAt(0, 3)
    await consumeAt(7, 20)
    await consumeAt(9, 5)
    await limiter.refund(decision, 2)
    expect(await held()).toEqual([0, '0', 7, '1', 9, '21', '-26'])
    await limiter.refund(decision)
    expect(await held()).toEqual([7, '0', 9, '20', '-25'])
  })

  test('in the middle', async () => {
    const { consumeAt, limiter, held } = opened('middle', 100)
    await consumeAt(0, 3)
    const decision = await consumeAt(7, 20)
    await consumeAt(9, 5)
    await limiter.refund(decision, 5)
    expect(await held()).toEqual([0, '0', 7, '3', 9, '18', '-23'])
    await limiter.refund(decision)
    expect(await held()).toEqual([0, '0', 9, '3', '-8'])
  })

  test('at the tail', async () => {
    const { consumeAt, limiter, held } = opened('tail', 100)
    await consumeAt(0, 3)
    const decision = await consumeAt(7, 20)
    await limiter.refund(decision, 5)
    expect(await held()).toEqual([0, '0', 7, '3', '-18'])
    await limiter.refund(decision)
    expect(await held()).toEqual([0, '0', '-3'])
  })

  test('and of a unit from when it was still plain', async () => {
    const { consumeAt, limiter, held } = opened('was plain', 100)
    const decision = await consumeAt(0)
    await consumeAt(0)
    await consumeAt(7, 20)
    await limiter.refund(decision)
    expect(await held()).toEqual([0, '0', 7, '1', '-21'])
  })
})

test('the key goes with the last unit given back, and with a reset', async () => {
  for (const cost of [1, 3]) {
    const key = `gone ${cost}`
    const { consumeAt, limiter, stored } = opened(key)
    await limiter.refund(await consumeAt(0, cost))
    expect(await redis.client.exists(stored)).toBe(0)
    await consumeAt(1, cost)
    await limiter.reset(key)
    expect(await redis.client.exists(stored)).toBe(0)
  }
})

describe('more elements than a call can take at once are rewritten whole:', () => {
  const units = 8000

  /** The log of so many requests, one each microsecond, of which the first can be given back. */
  async function filled(key: string, cost: number) {
    const one = opened(key, 100_000)
    const first = await one.consumeAt(0, cost)
    const policy = compactSlidingWindow({ limit: 100_000, window: '10s' })
    const rest = Array.from({ length: units - 1 }, (_, i) => [start + i + 1, cost] as const)
    await recordAll(redis.client, policy, one.stored, rest)
    // To print the difference of two such lists would take minutes.
    const differsAt = async (expected: readonly (number | string)[]) => {
      const held = await one.held()
      return held.length === expected.length
        ? held.findIndex((e, i) => e !== expected[i])
        : 'length'
    }
    return { ...one, first, differsAt }
  }

  test('a plain list that becomes weighted', async () => {
    const { consumeAt, differsAt } = await filled('many plain', 1)
    expect(await differsAt(Array.from({ length: units }, (_, i) => i))).toBe(-1)
    await consumeAt(units, 7)
    const elements = Array.from({ length: units + 1 }, (_, i) => [i, String(i)]).flat()
    expect(await differsAt([...elements, `-${units + 7}`])).toBe(-1)
  })

  test('a plain list from whose head a unit is given back', async () => {
    const { limiter, first, differsAt } = await filled('many refunded', 1)
    await limiter.refund(first)
    expect(await differsAt(Array.from({ length: units - 1 }, (_, i) => i + 1))).toBe(-1)
  })

  test('a weighted one from whose head a cost is given back', async () => {
    const { limiter, first, differsAt } = await filled('many weighted', 3)
    await limiter.refund(first)
    const elements = Array.from({ length: units - 1 }, (_, i) => [i + 1, String(3 * i)]).flat()
    expect(await differsAt([...elements, `-${3 * (units - 1)}`])).toBe(-1)
  })
})

describe('a running total of 2^31 or more is packed into 7 bytes', () => {
  test('and the entry after it is one like any other', async () => {
    const { consumeAt, limiter, held } = opened('packed', 2 ** 50)
    const small = await consumeAt(0, 2 ** 31 - 1)
    const one = await consumeAt(1, 1)
    await consumeAt(2, 2 ** 40)
    await consumeAt(3, 5)
    const all = 2 ** 31 + 2 ** 40
    const first = ['0', 1, `${2 ** 31 - 1}`, 2, `packed ${2 ** 31}`]
    expect(await held()).toEqual([0, ...first, 3, `packed ${all}`, `-${all + 5}`])
    await limiter.refund(one)
    const left = all - 1
    expect(await held()).toEqual([0, '0', 2, `${2 ** 31 - 1}`, 3, `packed ${left}`, `-${left + 5}`])
    await limiter.refund(small)
    expect(await held()).toEqual([2, '0', 3, `packed ${2 ** 40}`, `-${2 ** 40 + 5}`])
  })

  test('also where the bytes would read as digits behind a space', async () => {
    const { clock, limiter, stored } = opened('digits', 2 ** 50)
    const total = 0x0a_31_32_33_34_35_36
    const bytes = Buffer.from('\n123456')
    await redis.client.rpush(stored, start, 0, start + 1, bytes, -total - 5)
    clock.now = start + 10 * second
    expect(await limiter.peek('digits')).toMatchObject({ remaining: 2 ** 50 - 5 })
  })
})

describe('running totals begin anew', () => {
  test('from 2^31 on, where they would take more memory, once most of that has left', async () => {
    const { consumeAt, held } = opened('anew', 2 ** 32)
    const half = 2 ** 30
    await consumeAt(0, half)
    await consumeAt(4 * second, half)
    await consumeAt(8 * second, half)
    await consumeAt(10 * second, 5) // most is still there
    expect(await held()).toEqual([
      4 * second,
      `${half}`,
      8 * second,
      `packed ${2 * half}`,
      10 * second,
      `packed ${3 * half}`,
      `-${3 * half + 5}`,
    ])
    await consumeAt(14 * second, 6)
    expect(await held()).toEqual([
      8 * second,
      '0',
      10 * second,
      `${half}`,
      14 * second,
      `${half + 5}`,
      `-${half + 11}`,
    ])
  })

  test('and so never outgrow what whole numbers hold, however long a log goes on', async () => {
    const limit = 2 ** 50
    const { clock, limiter } = opened('for ever', limit)
    for (let i = 0; i < 50; i++) {
      clock.now = start + 5 * i * second
      expect(await limiter.consume('for ever', limit / 2 - 1)).toMatchObject({
        allowed: true,
        remaining: i === 0 ? limit / 2 + 1 : 2,
      })
      if (i > 0) expect(await limiter.consume('for ever', 3)).toMatchObject({ allowed: false })
    }
  })
})

describe('a key is kept', () => {
  test('until its newest unit leaves the window, by the time of the server', async () => {
    const limiter = createLimiter({
      store: ioredisStore(redis.client),
      prefix: redis.prefix,
      policies: { api: compactSlidingWindow({ limit: 8, window: '10s' }) },
    })
    await limiter.consume('ttl')
    const ttl = await redis.client.pttl(`${redis.prefix}:api:compact-sliding-window:{ttl}`)
    expect(ttl).toBeLessThanOrEqual(11_000)
    expect(ttl).toBeGreaterThan(9000)
  })

  test('for a day at least where a clock is given, since Redis expires keys by its own', async () => {
    const { consumeAt, stored } = opened('day')
    await consumeAt(0)
    const ttl = await redis.client.pttl(stored)
    expect(ttl).toBeLessThanOrEqual(86_400_000)
    expect(ttl).toBeGreaterThan(86_390_000)
  })
})
