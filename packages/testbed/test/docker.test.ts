import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fetchRedis, findRedis, startCluster, startRedis, startSentinel } from '../src/index.js'

vi.mock('../src/find-redis.js', { spy: true })

// Stands in for an engine: "in the container" is this machine. So this proves our half of the conversation, not Docker's.
const FAKE_DOCKER = `#!/bin/sh
pids=$FAKE_DOCKER/pids
case $1 in
  run) : > "$pids" ;;
  exec) shift 2; echo $$ >> "$pids"; TMPDIR=$FAKE_DOCKER exec "$@" ;;
  rm) while read -r pid; do kill -9 "$pid" 2>/dev/null; done < "$pids"; exit 0 ;;
esac
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-docker-'))
  const source = (await findRedis({ own: true })) ?? (await fetchRedis())
  if (source.kind !== 'binary') return
  const server = `#!/bin/sh\n${Object.entries(source.env ?? {})
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n')}\nexec '${source.path}' "$@"\n`
  for (const [name, text] of Object.entries({ docker: FAKE_DOCKER, 'redis-server': server })) {
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), 0o755)
  }
  vi.stubEnv('FAKE_DOCKER', folder)
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  vi.mocked(findRedis).mockResolvedValue({ kind: 'docker' })
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

test('a server in a container is killed, restarted, paused and stopped like one outside', async () => {
  const server = await startRedis({ own: true })
  await server.kill()
  await expect(server.command('PING')).rejects.toMatchObject({ code: 'UNREACHABLE' })
  await server.restart()
  await server.pause()
  const patient = server.command('PING')
  await server.resume()
  expect(await patient).toBe('PONG')
  await server.stop()
  await expect(server.command('PING')).rejects.toMatchObject({ code: 'UNREACHABLE' })
})

test('a cluster and a sentinel pair start in one container each', async () => {
  const cluster = await startCluster()
  expect(await cluster.slotOwner(0)).toBe(cluster.nodes[0])
  await cluster.stop()
  const pair = await startSentinel()
  expect(await pair.master.command('SET', 'key', 1)).toBe('OK')
  await pair.stop()
})
