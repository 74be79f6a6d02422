// index.d.ts

export type { RedisDriver } from './driver.js';
export { type RedisStoreOptions, redisStore } from './redis-store.js';

// driver.d.ts

/**
 * What this package needs of a Redis client: all that an adapter has to provide. Errors are the
 * client's own, as it throws them.
 */
export interface RedisDriver {
    /** What the client calls itself, for messages: `'ioredis'`. */
    readonly name: string;
    /** Whether keys are spread over the slots of a Redis Cluster. */
    readonly clustered: boolean;
    /**
     * Whether the client sends in one go, at the end of a turn of the event loop, what it was given
     * in that turn. Answers that arrive together are then handed on in several turns, so that the
     * first callers' next requests are with the server while the others are still being answered.
     * Default: it sends at once.
     */
    readonly sendsOnceATurn?: boolean;
    /** Whether a command sent now goes out now, rather than into a queue. */
    ready(): boolean;
    /**
     * When the client is not ready: resolves once it is if its first connection is just being made;
     * else rejects at once with an error that says what is wrong.
     */
    opened(): Promise<void>;
    evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>;
    eval(script: string, keys: string[], args: string[]): Promise<unknown>;
    del(keys: string[]): Promise<unknown>;
    /**
     * Whether an error of the client's own, not a reply of Redis, says that the command was surely
     * not executed. Default: none does.
     */
    notExecuted?(error: unknown): boolean;
}

// redis-store.d.ts

import { type Clock, type Store } from '@spillway/core';
import type { RedisDriver } from './driver.js';
/** How a store on Redis is made. */
export interface RedisStoreOptions {
    /**
     * Decides by this clock instead of the server's: for tests, and for a hosted Redis that refuses
     * the TIME command. Keys are then kept for a day at least, since the server expires them by its
     * own. Default: the server's time.
     */
    readonly clock?: Clock | undefined;
    /**
     * For a Redis Cluster: keeps all keys under so many tags, from 1 to 1,024, whose slots are spread
     * evenly, since only keys of one slot can travel in one call. A few for each node: 12 for three.
     * It is part of the stored key, so changing it starts every count afresh. Default: every key has
     * a slot of its own.
     */
    readonly clusterTags?: number | undefined;
}
/**
 * A store on Redis over any driver.
 *
 * What is asked in the same turn of the event loop travels together, in calls of up to 32 requests.
 * No timer is set and no call waits for another one's answer.
 *
 * @throws SpillwayError `INVALID_ARGUMENT` for a bad option
 */
export declare function redisStore(driver: RedisDriver, options?: RedisStoreOptions): Store;
