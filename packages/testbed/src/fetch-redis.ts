import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from './cache-folder.js'
import { cachedRedis } from './cached-redis.js'
import { findOnPath } from './find-on-path.js'
import { howToGetRedis } from './how-to-get-redis.js'
import { linuxRelease } from './linux-release.js'
import { type Log, logToStderr } from './log.js'
import { makeOnce } from './make-once.js'
import type { RedisSource } from './redis-source.js'
import { runCommand } from './run-command.js'
import { TestbedError } from './testbed-error.js'

/**
 * Fetches the distribution's Redis into the cache folder of the checkout, without installing it: on Debian and Ubuntu.
 *
 * `apt-get` with lists, cache and state of its own, then `dpkg -x`: no root, no service, nothing written outside the
 * checkout. Any number of processes may ask at the same time; one fetches.
 *
 * @param log told what is done, and how long it took. Default: standard error
 * @throws TestbedError `REDIS_NOT_FOUND` with the install line for the platform: on any other system, or without network
 */
export async function fetchRedis(log: Log = logToStderr): Promise<RedisSource> {
  const folder = cacheFolder()
  if (!(await isDebianLike())) {
    throw new TestbedError(
      'REDIS_NOT_FOUND',
      `no Redis found, and none can be fetched on this system. Get one by: ${howToGetRedis()}`,
    )
  }
  try {
    return await makeOnce({
      folder,
      look: () => cachedRedis(folder),
      make: (work) => fetchByApt(work, log),
      onWait: (pid) => log(`testbed: another process (${pid}) is fetching Redis: waiting for it`),
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TestbedError(
      'REDIS_NOT_FOUND',
      `no Redis found, and fetching it failed: ${reason}. Get one by: ${howToGetRedis()}`,
      { cause: error },
    )
  }
}

async function isDebianLike(): Promise<boolean> {
  const { ids } = linuxRelease()
  if (!ids.includes('debian') && !ids.includes('ubuntu')) return false
  return (await findOnPath('apt-get')) !== undefined && (await findOnPath('dpkg')) !== undefined
}

async function fetchByApt(folder: string, log: Log): Promise<void> {
  const startedAt = performance.now()
  log('testbed: no Redis found; fetching the package of this distribution (nothing is installed)')
  const apt = join(folder, 'apt')
  const debs = join(apt, 'debs')
  for (const name of ['state', 'lists/partial', 'cache/archives/partial', 'log', 'debs']) {
    await mkdir(join(apt, name), { recursive: true })
  }
  const config = join(apt, 'apt.conf')
  await writeFile(config, aptConfig(apt))

  // A source that does not answer (a third party's, say) is no reason to stop: the next step says whether ours did.
  const update = await runCommand('apt-get', ['-c', config, '-q', 'update'])
  const packages = await packagesToFetch(config, update.stderr)
  log(`testbed: downloading ${packages.join(', ')}`)
  const download = await runCommand('apt-get', ['-c', config, '-q', 'download', ...packages], {
    cwd: debs,
  })
  if (download.code !== 0) throw new Error(`apt-get download: ${lastLine(download.stderr)}`)
  for (const deb of await readdir(debs)) {
    const unpacked = await runCommand('dpkg', ['-x', join(debs, deb), folder])
    if (unpacked.code !== 0) throw new Error(`dpkg -x ${deb}: ${lastLine(unpacked.stderr)}`)
  }
  await rm(apt, { recursive: true, force: true })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  log(`testbed: Redis is ready in the cache of this checkout (${seconds} s)`)
}

/**
 * The packages an installation would bring, which are Redis and those of its libraries this system lacks.
 *
 * The C library is left out: a second one beside the system's loader crashes, and a distribution's Redis runs on its own.
 */
async function packagesToFetch(config: string, updateErrors: string): Promise<string[]> {
  let refusal = updateErrors
  for (const name of ['redis-server', 'valkey-server']) {
    const simulation = await runCommand('apt-get', [
      ...['-c', config, '-q', '--simulate', '--no-install-recommends', 'install', name],
    ])
    const found = [...simulation.stdout.matchAll(/^Inst (\S+)/gm)].map((line) => line[1] ?? '')
    const wanted = found.filter((found) => !/^(libc6|libc-bin|locales)(:|$)/.test(found))
    if (simulation.code === 0 && wanted.length > 0) return wanted
    // A system with half-installed packages cannot simulate; it can still download, and ours is checked afterwards.
    if (/unmet dependencies|held broken/i.test(simulation.stderr + simulation.stdout)) {
      return ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1']
    }
    refusal = simulation.stderr || refusal
  }
  throw new Error(`apt-get knows no redis-server: ${lastLine(refusal)}`)
}

/**
 * apt's view of the world, moved into `folder`: everything it writes; only the sources and the list of installed packages
 * are the system's. Hooks of the system are cleared, since they act on the system, and so are the bulky extra indexes.
 * As root apt would drop to a user who may not read the checkout, hence the sandbox setting. Source: apt.conf(5).
 */
function aptConfig(folder: string): string {
  const quoted = (name: string): string => `"${join(folder, name)}"`
  return [
    `Dir::State ${quoted('state')};`,
    `Dir::State::lists ${quoted('lists')};`,
    'Dir::State::status "/var/lib/dpkg/status";',
    `Dir::Cache ${quoted('cache')};`,
    `Dir::Cache::archives ${quoted('cache/archives')};`,
    `Dir::Log ${quoted('log')};`,
    'APT::Sandbox::User "root";',
    'Acquire::Languages "none";',
    'Acquire::Retries "3";',
    'Acquire::http::Timeout "30";',
    'Acquire::https::Timeout "30";',
    '#clear APT::Update::Pre-Invoke;',
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    '#clear DPkg::Pre-Invoke;',
    '#clear DPkg::Post-Invoke;',
    '#clear DPkg::Pre-Install-Pkgs;',
    '#clear Acquire::IndexTargets::deb::DEP-11;',
    '#clear Acquire::IndexTargets::deb::DEP-11-icons;',
    '#clear Acquire::IndexTargets::deb::DEP-11-icons-small;',
    '#clear Acquire::IndexTargets::deb::DEP-11-icons-large;',
    '#clear Acquire::IndexTargets::deb::DEP-11-icons-hidpi;',
    '#clear Acquire::IndexTargets::deb::DEP-11-icons-large-hidpi;',
    '#clear Acquire::IndexTargets::deb::CNF;',
    '#clear Acquire::IndexTargets::deb::Contents-deb;',
    '',
  ].join('\n')
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
