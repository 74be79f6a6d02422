import { eventually } from './eventually.js'
import type { Log } from './log.js'
import { runOwnRedis } from './own-redis.js'
import { withOwnSite } from './own-site.js'
import { redisCommand } from './redis-command.js'
import type { OwnRedis } from './redis-server.js'
import { serverUrl } from './site.js'

const NAME = 'spillway'

/** A master and a replica, watched over by sentinels. */
export interface RedisSentinel {
  /** What the sentinels call the pair. */
  readonly name: string
  readonly sentinels: readonly { readonly host: string; readonly port: number }[]
  /** Who is which at the moment: changes with `failover`. */
  readonly master: OwnRedis
  readonly replica: OwnRedis
  /**
   * Has the sentinels swap the two; resolves when they, the new master and the new replica all agree.
   *
   * Takes a few seconds. Kill the master instead, and a failover of the sentinels' own follows within about five.
   */
  failover(): Promise<void>
  /** Waits until the sentinels name a new master, after the old one was killed, and takes note of it. */
  failedOver(): Promise<void>
  /** Kills all of them and removes what they wrote. May be called twice. */
  stop(): Promise<void>
}

export interface SentinelOptions {
  /** How many sentinels; a majority of them decides. Default: 1, the quickest to be ready. */
  readonly sentinels?: number
  /** Told when Redis has to be fetched first. Default: standard error. */
  readonly log?: Log
}

/**
 * Starts a pair with sentinels of our own, whatever `REDIS_URL` says; resolves when the replica is in step and every
 * sentinel knows all of them.
 *
 * @throws TestbedError `REDIS_NOT_FOUND`, `START_FAILED`, `TIMEOUT`
 */
export async function startSentinel(options: SentinelOptions = {}): Promise<RedisSentinel> {
  const count = options.sentinels ?? 1
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new RangeError(`sentinels must be a positive integer, got ${count}`)
  }
  return withOwnSite(2 + count, options.log, async (site, ports) => {
    const [masterPort = 0, replicaPort = 0, ...sentinelPorts] = ports
    const master = await runOwnRedis(site, {
      port: masterPort,
      args: ['--repl-diskless-sync', 'yes', '--repl-diskless-sync-delay', '0'],
    })
    const [replica] = await Promise.all([
      runOwnRedis(site, {
        port: replicaPort,
        args: [
          ...['--replicaof', master.host, String(master.port)],
          ...['--repl-diskless-sync', 'yes', '--repl-diskless-sync-delay', '0'],
        ],
      }),
      ...sentinelPorts.map((port) => site.run({ port, sentinel: true })),
    ])
    // Before anybody watches: sentinels ask a master for its replicas at once, and again only ten seconds later.
    await inStep(master, replica)
    await Promise.all(sentinelPorts.map((port) => watchOver(port, master, count)))
    await Promise.all(sentinelPorts.map((port) => sentinelReady(port, count)))
    return sentinelOf(master, replica, sentinelPorts, site.close)
  })
}

async function inStep(master: OwnRedis, replica: OwnRedis): Promise<void> {
  await eventually(
    `the server on port ${replica.port} to replicate`,
    async () => {
      const mine = String(await replica.command('INFO', 'replication'))
      const masters = String(await master.command('INFO', 'replication'))
      return (
        /master_link_status:up/.test(mine) &&
        mine.includes(`master_port:${master.port}`) &&
        new RegExp(`port=${replica.port},state=online`).test(masters)
      )
    },
    30_000,
  )
}

async function watchOver(port: number, master: OwnRedis, sentinels: number): Promise<void> {
  const tell = sentinelAt(port)
  // Shorter rounds than the defaults of 1 to 10 s: tests wait for each. Redis 6 lacks the command, and is merely slower.
  const rounds = ['info', 'publish', 'ask', 'ping'].flatMap((what) => [`${what}-period`, 200])
  await tell('SENTINEL', 'DEBUG', ...rounds).catch(() => undefined)
  const quorum = Math.floor(sentinels / 2) + 1
  await tell('SENTINEL', 'MONITOR', NAME, master.host, master.port, quorum)
  await tell('SENTINEL', 'SET', NAME, 'down-after-milliseconds', 2_000)
  await tell('SENTINEL', 'SET', NAME, 'failover-timeout', 6_000)
}

async function sentinelReady(port: number, sentinels: number): Promise<void> {
  await eventually(
    `the sentinel on port ${port} to know the others`,
    async () => {
      const state = await masterState(port)
      return (
        state.get('num-slaves') === '1' &&
        state.get('num-other-sentinels') === String(sentinels - 1)
      )
    },
    30_000,
  )
}

function sentinelOf(
  first: OwnRedis,
  second: OwnRedis,
  ports: readonly number[],
  close: () => Promise<void>,
): RedisSentinel {
  let [master, replica] = [first, second]

  const swapped = async (): Promise<void> => {
    await eventually(
      'the sentinels to name the new master',
      async () => {
        const states = await Promise.all(ports.map(masterState))
        return states.every((state) => state.get('port') === String(replica.port))
      },
      60_000,
    )
    await eventually('the new master to know its role', async () =>
      /role:master/.test(String(await replica.command('INFO', 'replication'))),
    )
    ;[master, replica] = [replica, master]
  }

  return {
    name: NAME,
    sentinels: ports.map((port) => ({ host: '127.0.0.1', port })),
    get master() {
      return master
    },
    get replica() {
      return replica
    },
    failover: async () => {
      // Refused while an earlier failover is still being wrapped up, or the replica's state is not yet known.
      await eventually(
        'the sentinel to start a failover',
        () => sentinelAt(ports[0] ?? 0)('SENTINEL', 'FAILOVER', NAME),
        30_000,
      )
      await swapped()
      await inStep(master, replica)
    },
    failedOver: swapped,
    stop: close,
  }
}

function sentinelAt(port: number) {
  return (...args: readonly (string | number)[]) => redisCommand(serverUrl({ port }), args)
}

async function masterState(port: number): Promise<ReadonlyMap<string, string>> {
  const reply = await sentinelAt(port)('SENTINEL', 'MASTER', NAME)
  const fields = Array.isArray(reply) ? reply.map(String) : []
  const state = new Map<string, string>()
  for (let i = 0; i + 1 < fields.length; i += 2) state.set(fields[i] ?? '', fields[i + 1] ?? '')
  return state
}
