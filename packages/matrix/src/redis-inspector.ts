import type { Inspector } from '@spillway/conformance'
import type { Cluster, Redis } from 'ioredis'

/** Looks into Redis behind the store's back, over a connection of its own. */
export function redisInspector(client: Redis | Cluster): Inspector {
  const nodes = (): Redis[] => ('nodes' in client ? client.nodes('master') : [client])
  return {
    async ttlMs(key) {
      const ttl = await client.pttl(key)
      return ttl === -2 ? null : ttl === -1 ? Number.POSITIVE_INFINITY : ttl
    },
    async loseTtl(key) {
      await client.persist(key)
    },
    async spoil(key) {
      await client.sadd(key, 'a set, which no algorithm keeps its state in')
    },
    async changes() {
      const infos = await Promise.all(nodes().map((node) => node.info('persistence')))
      return infos
        .map((info) => Number(/rdb_changes_since_last_save:(\d+)/.exec(info)?.[1]))
        .reduce((sum, changes) => sum + changes, 0)
    },
    async size(key) {
      return Number((await client.memory('USAGE', key)) ?? 0)
    },
    async loseCaches() {
      await Promise.all(nodes().map((node) => node.script('FLUSH')))
    },
  }
}
