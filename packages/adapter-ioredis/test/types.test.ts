import type { Store } from '@spillway/core'
import type {
  Cluster as Cluster6,
  ClusterOptions as ClusterOptions6,
  Redis as Redis6,
  RedisOptions as RedisOptions6,
} from 'ioredis'
import type {
  Cluster as Cluster5,
  ClusterOptions as ClusterOptions5,
  Redis as Redis5,
  RedisOptions as RedisOptions5,
} from 'ioredis5'
import { expectTypeOf, test } from 'vitest'
import {
  type IoredisClient,
  ioredisClusterOptions,
  ioredisOptions,
  ioredisStore,
} from '../src/index.js'

test('every client of ioredis 5 and 6 is taken without a cast', () => {
  expectTypeOf<Redis5>().toExtend<IoredisClient>()
  expectTypeOf<Redis6>().toExtend<IoredisClient>()
  expectTypeOf<Cluster5>().toExtend<IoredisClient>()
  expectTypeOf<Cluster6>().toExtend<IoredisClient>()
  expectTypeOf(ioredisStore).toBeCallableWith({} as Redis6)
  expectTypeOf(ioredisStore).toBeCallableWith({} as Cluster5, { clock: () => 1 })
  expectTypeOf(ioredisStore).returns.toEqualTypeOf<Store>()
})

test('the recommended options are options of both', () => {
  expectTypeOf(ioredisOptions).toExtend<RedisOptions5>()
  expectTypeOf(ioredisOptions).toExtend<RedisOptions6>()
  expectTypeOf(ioredisClusterOptions).toExtend<ClusterOptions5>()
  expectTypeOf(ioredisClusterOptions).toExtend<ClusterOptions6>()
})
