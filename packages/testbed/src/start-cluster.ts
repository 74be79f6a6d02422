import { eventually } from './eventually.js'
import type { Log } from './log.js'
import { runOwnRedis } from './own-redis.js'
import { withOwnSite } from './own-site.js'
import type { OwnRedis } from './redis-server.js'
import type { Reply } from './resp.js'
import { TestbedError } from './testbed-error.js'

const SLOTS = 16_384

/** A master of the cluster: an own server, so it can be killed, paused and restarted like one. */
export interface ClusterNode extends OwnRedis {
  /** The 40 characters Redis calls it by. */
  readonly id: string
}

/**
 * A slot on its way from one node to another: both ends know, and nobody else.
 *
 * Until a key is moved, its old owner serves it; afterwards, and for keys that exist nowhere, the old owner answers `ASK`;
 * a command with several keys of which some have moved gets `TRYAGAIN`. After `finish` the old owner answers `MOVED`.
 */
export interface SlotMigration {
  readonly slot: number
  readonly from: ClusterNode
  readonly to: ClusterNode
  /** Moves these keys, or with none all the slot holds. Keys that do not exist are passed over. */
  moveKeys(...keys: readonly string[]): Promise<void>
  /** Gives the slot to `to`, which must hold all its keys by now, and waits until every node knows. */
  finish(): Promise<void>
  /** Forgets the migration; keys already moved come back. */
  abort(): Promise<void>
}

/** A real Redis Cluster of masters, every slot covered. */
export interface RedisCluster {
  readonly nodes: readonly ClusterNode[]
  /** The slot of a key, hash tags observed, as Redis itself computes it. */
  slotOf(key: string): Promise<number>
  /** The node that owns a slot at the moment, asked of the nodes themselves. */
  slotOwner(slot: number): Promise<ClusterNode>
  /** Leaves a slot half way: see `SlotMigration`. `to` must not own it yet. */
  beginMigration(slot: number, to: ClusterNode): Promise<SlotMigration>
  /** Moves a slot with all its keys. To its own owner: nothing happens. */
  moveSlot(slot: number, to: ClusterNode): Promise<void>
  /** Kills all nodes and removes what they wrote. May be called twice. */
  stop(): Promise<void>
}

export interface ClusterOptions {
  /** How many masters share the slots evenly. Default 3. */
  readonly nodes?: number
  /** More arguments for each `redis-server`. */
  readonly args?: readonly string[]
  /** Told when Redis has to be fetched first. Default: standard error. */
  readonly log?: Log
}

/**
 * Starts a cluster of our own, whatever `REDIS_URL` says; resolves when every node knows every slot's owner.
 *
 * Takes a little over two seconds, of which two are Redis's own: a master waits that long after its start before it
 * calls the cluster usable (`CLUSTER_WRITABLE_DELAY` in its source).
 *
 * @throws TestbedError `REDIS_NOT_FOUND`, `START_FAILED`, `TIMEOUT`
 */
export async function startCluster(options: ClusterOptions = {}): Promise<RedisCluster> {
  const count = options.nodes ?? 3
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new RangeError(`nodes must be a positive integer, got ${count}`)
  }
  return withOwnSite(count, options.log, async (site, ports) => {
    const args = [
      '--cluster-enabled',
      'yes',
      // Small enough for tests that kill a node, large enough for a machine with other things to do.
      '--cluster-node-timeout',
      '5000',
      ...(options.args ?? []),
    ]
    const nodes = await Promise.all(
      ports.map(async (port): Promise<ClusterNode> => {
        const server = await runOwnRedis(site, { port, args })
        // A node learns its own address from the others, of whom there may be none.
        await server.command('CONFIG', 'SET', 'cluster-announce-ip', server.host)
        const id = String(await server.command('CLUSTER', 'MYID'))
        return Object.assign(server, { id })
      }),
    )
    await Promise.all(nodes.map((node, i) => claimSlots(node, i, count)))
    await introduce(nodes)
    await Promise.all(nodes.map((node) => nodeReady(node, nodes)))
    return clusterOf(nodes, site.close)
  })
}

async function claimSlots(node: ClusterNode, index: number, count: number): Promise<void> {
  const first = Math.floor((index * SLOTS) / count)
  const last = Math.floor(((index + 1) * SLOTS) / count) - 1
  // Different epochs from the start spare the nodes a quarrel over equal ones.
  await node.command('CLUSTER', 'SET-CONFIG-EPOCH', index + 1)
  // One by one, since `ADDSLOTSRANGE` came with Redis 7.
  const slots = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  await node.command('CLUSTER', 'ADDSLOTS', ...slots)
}

/** Each node meets each other, so that nobody waits for gossip. */
async function introduce(nodes: readonly ClusterNode[]): Promise<void> {
  for (const [i, node] of nodes.entries()) {
    for (const other of nodes.slice(i + 1)) {
      await node.command('CLUSTER', 'MEET', other.host, other.port)
    }
  }
}

async function nodeReady(node: ClusterNode, nodes: readonly ClusterNode[]): Promise<void> {
  await eventually(
    `the node on port ${node.port} to see its cluster`,
    async () => {
      const info = String(await node.command('CLUSTER', 'INFO'))
      if (!/cluster_state:ok/.test(info) || !/cluster_slots_ok:16384/.test(info)) return false
      const known = String(await node.command('CLUSTER', 'NODES'))
        .trim()
        .split('\n')
      // A node just met is listed under a made-up name until it has shaken hands.
      return (
        known.length === nodes.length &&
        nodes.every(({ id }) => known.some((line) => line.startsWith(id)))
      )
    },
    30_000,
  )
}

function clusterOf(nodes: readonly ClusterNode[], close: () => Promise<void>): RedisCluster {
  const ownerBy = async (witness: ClusterNode, slot: number): Promise<string | undefined> => {
    const ranges = list(await witness.command('CLUSTER', 'SLOTS'))
    for (const range of ranges) {
      const [from, to, master] = list(range)
      if (Number(from) <= slot && slot <= Number(to)) return String(list(master)[2])
    }
    return undefined
  }

  const slotOwner = async (slot: number): Promise<ClusterNode> => {
    // Each node is sure of its own slots; what it says of the others' may be old.
    for (const node of nodes) {
      const owner = await ownerBy(node, slot).catch(() => undefined)
      if (owner === node.id) return node
    }
    throw new TestbedError('UNREACHABLE', `no living node owns slot ${slot}`)
  }

  const moveKeys = async (
    slot: number,
    from: ClusterNode,
    to: ClusterNode,
    keys: readonly string[],
  ): Promise<void> => {
    const held = keys.length > 0 ? keys : await keysInSlot(from, slot)
    if (held.length === 0) return
    await from.command('MIGRATE', to.host, to.port, '', 0, 5_000, 'KEYS', ...held)
  }

  const beginMigration = async (slot: number, to: ClusterNode): Promise<SlotMigration> => {
    const from = await slotOwner(slot)
    if (from === to) throw new RangeError(`to must not own slot ${slot} yet`)
    await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id)
    await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
    return {
      slot,
      from,
      to,
      moveKeys: (...keys) => moveKeys(slot, from, to, keys),
      finish: async () => {
        // The new owner first: a node that hears of the loss before anybody took it would answer with itself.
        await to.command('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
        await from.command('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
        for (const node of nodes) {
          if (node !== to && node !== from)
            await node.command('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
        }
        await eventually(`every node to know the owner of slot ${slot}`, async () => {
          const owners = await Promise.all(nodes.map((node) => ownerBy(node, slot)))
          return owners.every((owner) => owner === to.id)
        })
      },
      abort: async () => {
        // In this order: a slot that is migrating takes no keys back, it answers `ASK`.
        await from.command('CLUSTER', 'SETSLOT', slot, 'STABLE')
        await moveKeys(slot, to, from, [])
        await to.command('CLUSTER', 'SETSLOT', slot, 'STABLE')
      },
    }
  }

  return {
    nodes,
    slotOf: async (key) =>
      Number(await Promise.any(nodes.map((node) => node.command('CLUSTER', 'KEYSLOT', key)))),
    slotOwner,
    beginMigration,
    moveSlot: async (slot, to) => {
      if ((await slotOwner(slot)) === to) return
      const migration = await beginMigration(slot, to)
      await migration.moveKeys()
      await migration.finish()
    },
    stop: close,
  }
}

async function keysInSlot(node: ClusterNode, slot: number): Promise<string[]> {
  const count = Number(await node.command('CLUSTER', 'COUNTKEYSINSLOT', slot))
  return list(await node.command('CLUSTER', 'GETKEYSINSLOT', slot, count)).map(String)
}

function list(reply: Reply | undefined): readonly Reply[] {
  return Array.isArray(reply) ? reply : []
}
