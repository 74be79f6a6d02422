import pc from 'picocolors'
import { expect, test } from 'vitest'
import { boundaryReport } from '../src/boundary-report.js'
import type { BoundaryRun } from '../src/boundary-run.js'
import { lessons } from '../src/lessons.js'
import { summaryReport } from '../src/summary-report.js'

const colors = pc.createColors(false)

/** A fixed window broken by as many requests as asked for, as if it had been run. */
function brokenBy(requests: number): BoundaryRun {
  const boundaryUs = Date.UTC(2026, 11, 1) * 1000
  return {
    algorithm: 'fixed',
    settings: {
      store: 'redis',
      driver: 'ioredis',
      redisUrl: undefined,
      limit: requests,
      windowMs: 10_000,
      requests,
    },
    policy: lessons.fixed.policy(requests, 10_000),
    session: { kind: 'redis', driver: 'ioredis', title: 'Redis 7.0.15 through ioredis' },
    crossing: {
      boundaryUs,
      leadMs: 2500,
      phases: [
        { allowed: requests, denied: 0, atMs: -2400 },
        { allowed: requests, denied: 0, atMs: 2600 },
      ],
      admitted: 2 * requests,
      spanMs: 5000,
      mostInAnyWindow: 2 * requests,
      held: false,
      nextSlotMs: 0,
      readBack: {
        key: 'key',
        counters: [
          { windowStartUs: boundaryUs - 10_000_000, count: requests },
          { windowStartUs: boundaryUs, count: requests },
        ],
        logSize: null,
      },
    },
  }
}

test.each([1, 8, 10_000, 100_000])('columns stay apart with %i requests', (requests) => {
  const run = brokenBy(requests)
  const count = requests.toLocaleString('en-US')
  const report = boundaryReport(run, colors).join('\n')
  expect(report).toMatch(new RegExp(`before the boundary +${count} allowed +0 denied`))
  expect(report).toMatch(new RegExp(`after the boundary +${count} allowed +0 denied`))
  const summary = summaryReport([run, run], true, colors)
  expect(summary).toContainEqual(
    expect.stringMatching(
      new RegExp(`^  Before the boundary {3}(${count} allowed, 0 denied *){2}$`),
    ),
  )
})
