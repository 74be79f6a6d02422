import type { Compared } from '../src/compare.js'
import type { CompareRun } from '../src/compare-run.js'
import { contenders } from '../src/contenders.js'

/** A comparison as if it had been run: of two algorithms, one of which broke its promise. */
export function fakeRun(change: Partial<Compared> = {}): CompareRun {
  const [fixed, sliding] = contenders
  const of = (contender: typeof fixed): Compared => ({
    name: contender!.name,
    options: contender!.options(10, 10_000),
    policy: contender!.policy(10, 10_000),
    promised: 20,
    measured: 20,
    promisedShort: 20,
    measuredShort: 20,
    boundary: 20,
    bytesPerKey: 120,
    serverUs: 1.5,
    admissions: [{ at: 0, cost: 20 }],
    held: true,
  })
  return {
    settings: {
      store: 'redis',
      driver: 'ioredis',
      redisUrl: undefined,
      limit: 10,
      windowMs: 10_000,
      svg: undefined,
      output: 'text',
    },
    session: { kind: 'redis', driver: 'ioredis', title: 'Redis 7.0.15 through ioredis' },
    compared: [
      of(fixed),
      { ...of(sliding), promised: 10, measured: 12, held: false, serverUs: null, ...change },
    ],
  }
}
