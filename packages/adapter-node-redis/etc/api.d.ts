// index.d.ts

export { nodeRedisOptions, nodeRedisSentinelOptions } from './node-redis-options.js';
export { type NodeRedisClient, nodeRedisStore } from './node-redis-store.js';

// node-redis-options.d.ts

/**
 * Options for every connection (of `createClient`, of `createClientPool`, as `defaults` of
 * `createCluster`): without its server, a command fails at once, instead of waiting in the client's
 * queue. A client is looked at before anything is sent; of a pool or a cluster only its connections
 * know.
 */
export declare const nodeRedisOptions: {
    readonly disableOfflineQueue: true;
};
/**
 * Options for `createSentinel`: a call whose answer is lost fails, instead of being sent again and
 * counted twice, which is node-redis's default behind Sentinel, and only there.
 */
export declare const nodeRedisSentinelOptions: {
    readonly maxCommandRediscovers: 0;
};

// node-redis-store.d.ts

import { type Store } from '@spillway/core';
import { type RedisStoreOptions } from '@spillway/store-redis';
/** What is used of a node-redis client: a client, cluster, sentinel or pool of `redis` 5 or 6. */
export interface NodeRedisClient {
    readonly isOpen: boolean;
    /** Missing in a pool, and in a cluster of node-redis 5. */
    readonly isReady?: boolean;
    /** What only a cluster has. */
    readonly slots?: unknown;
    /** Of a cluster: empty until it has found its nodes. */
    readonly masters?: readonly unknown[];
    evalSha(sha: string, options: EvalOptions): Promise<unknown>;
    eval(script: string, options: EvalOptions): Promise<unknown>;
    del(keys: string[]): Promise<unknown>;
}
interface EvalOptions {
    keys: string[];
    arguments: string[];
}
/**
 * A store on Redis through node-redis. The client stays yours: connect it before the first
 * decision, close it after the last one; nothing is added to it.
 *
 * Without a connection, decisions fail at once with `STORE_UNAVAILABLE`, instead of waiting in the
 * client's queue. A pool or a cluster needs {@link nodeRedisOptions} to that end. Behind Sentinel,
 * {@link nodeRedisSentinelOptions} keep node-redis from sending a call again, which may count a
 * request twice.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for something that is no client, or a bad option
 */
export declare function nodeRedisStore(client: NodeRedisClient, options?: RedisStoreOptions): Store;
export {};
