import { expect, test } from 'vitest'
import { testTotals, totalsLine } from '../src/test-totals.js'

const report = (
  numPassedTests: number,
  numFailedTests: number,
  more: { skipped?: number; unloaded?: string; brokenHook?: string; success?: boolean } = {},
) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests: more.skipped ?? 0,
  numTodoTests: 0,
  success: more.success ?? numFailedTests === 0,
  testResults: [
    ...(more.unloaded === undefined
      ? []
      : [{ name: more.unloaded, status: 'failed', assertionResults: [] }]),
    ...(more.brokenHook === undefined
      ? []
      : [{ name: more.brokenHook, status: 'failed', assertionResults: [{ status: 'skipped' }] }]),
  ],
})

const totals = (reports: Record<string, ReturnType<typeof report> | undefined>) =>
  testTotals(new Map(Object.entries(reports)))

test('sums all packages in one plain line', () => {
  expect(totalsLine(totals({ a: report(3, 0), b: report(4, 2) }))).toBe('7 passed, 2 failed')
})

test('tells what was skipped', () => {
  expect(totalsLine(totals({ a: report(3, 0, { skipped: 2 }) }))).toBe(
    '3 passed, 0 failed, 2 skipped',
  )
})

test.each([
  ['a package without a report', undefined, 'a: no test report'],
  ['a package without a test', report(0, 0), 'a: ran no test'],
  ['a package that skipped all', report(0, 0, { skipped: 3 }), 'a: ran no test'],
  [
    'a file that did not load',
    report(0, 0, { unloaded: 'x', success: false }),
    'a: x could not be loaded',
  ],
  [
    'a file whose hook failed',
    report(2, 0, { skipped: 1, brokenHook: 'x', success: false }),
    'a: x failed outside of its tests',
  ],
  ['an error outside of tests', report(2, 0, { success: false }), 'a: failed outside of its tests'],
])('%s is one failure', (_law, broken, problem) => {
  expect(totals({ a: broken, b: report(5, 0) })).toMatchObject({ failed: 1, problems: [problem] })
})
