import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchRedis, findRedis, howToGetRedis } from '../src/index.js'
import { linuxRelease } from '../src/linux-release.js'

const { cache } = vi.hoisted(() => ({ cache: { folder: '' } }))
vi.mock('../src/cache-folder.js', () => ({ cacheFolder: () => join(cache.folder, 'cache') }))
vi.mock('../src/linux-release.js', { spy: true })

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-redis-'))
  cache.folder = folder
  vi.stubEnv('REDIS_URL', '')
  vi.stubEnv('PATH', folder)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  vi.mocked(linuxRelease).mockReset()
  await rm(folder, { recursive: true, force: true })
})

async function program(name: string, body = 'exit 0'): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
  return path
}

test('REDIS_URL comes before everything, except for those who need their own', async () => {
  const path = await program('redis-server')
  vi.stubEnv('REDIS_URL', 'redis://example:1')
  expect(await findRedis()).toEqual({ kind: 'url', url: 'redis://example:1' })
  expect(await findRedis({ own: true })).toEqual({ kind: 'binary', path })
})

test('a binary on the PATH comes before Docker, and Redis before Valkey', async () => {
  await program('docker', 'echo 29.0.0')
  const valkey = await program('valkey-server')
  expect(await findRedis()).toEqual({ kind: 'binary', path: valkey })
  const redis = await program('redis-server')
  expect(await findRedis()).toEqual({ kind: 'binary', path: redis })
})

test('Docker counts only when its engine answers', async () => {
  await program('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1')
  expect(await findRedis()).toBeUndefined()
  await program('docker', 'echo 29.0.0')
  expect(await findRedis()).toEqual({ kind: 'docker' })
})

test('where nothing can be fetched, the error names the line that installs it', async () => {
  vi.mocked(linuxRelease).mockReturnValue({ ids: ['alpine'], version: '3.22' })
  if (process.platform === 'linux') expect(howToGetRedis()).toBe('apk add redis')
  await expect(fetchRedis()).rejects.toMatchObject({
    code: 'REDIS_NOT_FOUND',
    message: expect.stringContaining(howToGetRedis()),
  })
})

test('a fetch that fails says why, names the install line, and leaves nothing behind', async () => {
  vi.mocked(linuxRelease).mockReturnValue({ ids: ['debian'], version: '12' })
  await program('apt-get', 'echo "E: no network today" >&2; exit 100')
  await program('dpkg')
  const lines: string[] = []
  await expect(fetchRedis((line) => lines.push(line))).rejects.toMatchObject({
    code: 'REDIS_NOT_FOUND',
    message: expect.stringMatching(/no network today.*Get one by: /s),
  })
  expect(lines).toHaveLength(1)
  vi.stubEnv('PATH', '')
  expect(await findRedis()).toBeUndefined()
})
