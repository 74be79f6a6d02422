/**
 * The part of a vitest JSON report that counts.
 *
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {boolean} success
 * @property {{ name: string, status: string, assertionResults: { status: string }[] }[]} testResults
 */

/** @typedef {{ passed: number, failed: number, skipped: number, problems: string[] }} Totals */

/**
 * Sums the reports of all packages. A file that fails outside of its tests counts as one failure, and so does a package without
 * a report or without a test: silence is never a pass.
 *
 * @param {ReadonlyMap<string, Report | undefined>} reports by package name
 * @returns {Totals}
 */
export function testTotals(reports) {
  /** @type {Totals} */
  const totals = { passed: 0, failed: 0, skipped: 0, problems: [] }
  /** @param {string} problem */
  const fail = (problem) => {
    totals.failed += 1
    totals.problems.push(problem)
  }
  for (const [name, report] of reports) {
    if (report === undefined) {
      fail(`${name}: no test report`)
      continue
    }
    totals.passed += report.numPassedTests
    totals.failed += report.numFailedTests
    totals.skipped += report.numPendingTests + report.numTodoTests
    const before = totals.failed
    for (const { name: file, status, assertionResults } of report.testResults) {
      if (status !== 'failed' || assertionResults.some((one) => one.status === 'failed')) continue
      fail(
        `${name}: ${file} ${assertionResults.length === 0 ? 'could not be loaded' : 'failed outside of its tests'}`,
      )
    }
    if (report.numPassedTests + report.numFailedTests === 0 && totals.failed === before)
      fail(`${name}: ran no test`)
    else if (!report.success && report.numFailedTests === 0 && totals.failed === before)
      fail(`${name}: failed outside of its tests`)
  }
  return totals
}

/**
 * The one plain line that ends a run.
 *
 * @param {Totals} totals
 * @returns {string}
 */
export function totalsLine({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`
  return skipped === 0 ? line : `${line}, ${skipped} skipped`
}
