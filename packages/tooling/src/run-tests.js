import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { testTotals, totalsLine } from './test-totals.js'
import { turbo } from './turbo.js'
import { publicPackages, workspacePackages } from './workspace.js'

// `pnpm test --filter=@spillway/core` runs a part: whatever is given goes to turbo.
const chosen = process.argv.slice(process.argv[2] === '--' ? 3 : 2)
const packages = workspacePackages()
/** @param {{ dir: string }} of */
const reportPath = (of) => join(of.dir, '.reports', 'tests.json')

const names = await chosenPackages()
for (const one of packages) rmSync(reportPath(one), { force: true })

// Tests run on source. Only our own, which pack and install the packages, need them built; and that comes first, since
// building while others measure time would disturb them.
const built = names.has('@spillway/tooling')
  ? await turbo(
      [
        ...['run', 'build', '--output-logs=errors-only'],
        ...publicPackages().map(({ manifest }) => `--filter=${manifest.name}`),
      ],
      'show',
    )
  : undefined
const run = await turbo(
  ['run', 'test', '--concurrency=2', '--continue', '--log-order=grouped', ...chosen],
  'show',
)

const totals = testTotals(
  new Map(
    packages
      .filter((one) => names.has(one.manifest.name))
      .map((one) => [one.manifest.name, readReport(one)]),
  ),
)
if (built !== undefined && built.status !== 0) {
  totals.failed += 1
  totals.problems.push('the build failed')
} else if (run.status !== 0 && totals.failed === 0) {
  totals.failed += 1
  totals.problems.push('turbo failed')
}
for (const problem of totals.problems) console.log(problem)
console.log(totalsLine(totals))
process.exitCode = totals.failed === 0 ? 0 : 1

/** @returns {Promise<Set<string>>} */
async function chosenPackages() {
  const dry = await turbo(['run', 'test', '--dry=json', ...chosen], 'capture')
  if (dry.status !== 0) {
    console.error(dry.printed.trim())
    console.log(totalsLine({ passed: 0, failed: 1, skipped: 0, problems: [] }))
    process.exit(1)
  }
  /** @type {{ packages: string[] }} */
  const plan = JSON.parse(dry.printed)
  return new Set(plan.packages)
}

/** @param {{ dir: string }} of */
function readReport(of) {
  try {
    return JSON.parse(readFileSync(reportPath(of), 'utf8'))
  } catch {
    // No report, or half of one: testTotals counts it as a failure.
    return undefined
  }
}
