// index.d.ts

export { ioredisClusterOptions, ioredisOptions } from './ioredis-options.js';
export { type IoredisClient, ioredisStore } from './ioredis-store.js';

// ioredis-options.d.ts

/**
 * Options for `new Redis(…)`: a call whose answer is lost fails, instead of being sent again after
 * the reconnect and counted twice, which is ioredis's default.
 */
export declare const ioredisOptions: {
    readonly maxRetriesPerRequest: 0;
};
/** Options for `new Cluster(nodes, …)`, to the same end. */
export declare const ioredisClusterOptions: {
    readonly retryDelayOnFailover: 0;
};

// ioredis-store.d.ts

import { type Store } from '@spillway/core';
import { type RedisStoreOptions } from '@spillway/store-redis';
/** What is used of an ioredis client: a `Redis` or a `Cluster` of ioredis 5 or 6. */
export interface IoredisClient {
    readonly status: string;
    readonly isCluster: boolean;
    readonly options: object;
    /** The socket; a `Cluster` has none of its own. */
    readonly stream?: {
        readonly errored?: Error | null;
    };
    connect(): Promise<void>;
    once(event: string | symbol, listener: (error?: unknown) => void): unknown;
    off(event: string | symbol, listener: (error?: unknown) => void): unknown;
    evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>;
    eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>;
    del(...keys: string[]): Promise<number>;
}
/**
 * A store on Redis through ioredis. The client stays yours: nothing is added to it, and it is
 * neither opened nor closed here, except that a `lazyConnect` client connects on the first
 * decision, as it would on any first command.
 *
 * While a client makes its first connection, decisions wait for it, and where it fails, why is the
 * `cause` of `STORE_UNAVAILABLE`. Later, without a connection, they fail at once with that code,
 * instead of waiting in the client's queue.
 *
 * Give the client {@link ioredisOptions} (a `Cluster` {@link ioredisClusterOptions}): with its
 * defaults it sends a call again after a reconnect, which may count a request twice. A client that
 * would draws one process warning with the code `SPILLWAY_IOREDIS_RESENDS`.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for something that is no client, or a bad option
 */
export declare function ioredisStore(client: IoredisClient, options?: RedisStoreOptions): Store;
