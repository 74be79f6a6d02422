import type { Store } from '@spillway/core'
import * as redis6 from 'redis'
import * as redis5 from 'redis5'
import { expectTypeOf, test } from 'vitest'
import {
  type NodeRedisClient,
  nodeRedisOptions,
  nodeRedisSentinelOptions,
  nodeRedisStore,
} from '../src/index.js'

test('every kind of client of node-redis 5 and 6 is taken without a cast', () => {
  expectTypeOf(() => redis5.createClient()).returns.toExtend<NodeRedisClient>()
  expectTypeOf(() => redis5.createClientPool()).returns.toExtend<NodeRedisClient>()
  expectTypeOf(() => redis5.createCluster({ rootNodes: [] })).returns.toExtend<NodeRedisClient>()
  expectTypeOf(() =>
    redis5.createSentinel({ name: '', sentinelRootNodes: [] }),
  ).returns.toExtend<NodeRedisClient>()
  expectTypeOf(() => redis6.createClient()).returns.toExtend<NodeRedisClient>()
  expectTypeOf(() => redis6.createClientPool()).returns.toExtend<NodeRedisClient>()
  expectTypeOf(() => redis6.createCluster({ rootNodes: [] })).returns.toExtend<NodeRedisClient>()
  expectTypeOf(() =>
    redis6.createSentinel({ name: '', sentinelRootNodes: [] }),
  ).returns.toExtend<NodeRedisClient>()
  expectTypeOf(nodeRedisStore).returns.toEqualTypeOf<Store>()
})

test('so are clients of other protocols and with types of their own for replies', () => {
  const mapped = () =>
    redis6.createClient({ RESP: 2 }).withTypeMapping({ [redis6.RESP_TYPES.NUMBER]: String })
  expectTypeOf(mapped).returns.toExtend<NodeRedisClient>()
  const old = () =>
    redis5.createClient({ RESP: 3 }).withTypeMapping({ [redis5.RESP_TYPES.NUMBER]: String })
  expectTypeOf(old).returns.toExtend<NodeRedisClient>()
  expectTypeOf<redis6.RedisClientType>().toExtend<NodeRedisClient>()
  expectTypeOf<redis5.RedisClientType>().toExtend<NodeRedisClient>()
})

test('the recommended options are options', () => {
  expectTypeOf(nodeRedisOptions).toExtend<redis5.RedisClientOptions>()
  expectTypeOf(nodeRedisOptions).toExtend<redis6.RedisClientOptions>()
  const sentinel = { name: '', sentinelRootNodes: [], ...nodeRedisSentinelOptions }
  expectTypeOf(sentinel).toExtend<redis5.RedisSentinelOptions>()
  expectTypeOf(sentinel).toExtend<redis6.RedisSentinelOptions>()
})
