/**
 * What this package needs of a Redis client: all that an adapter has to provide. Errors are the
 * client's own, as it throws them.
 */
export interface RedisDriver {
  /** What the client calls itself, for messages: `'ioredis'`. */
  readonly name: string
  /** Whether keys are spread over the slots of a Redis Cluster. */
  readonly clustered: boolean
  /**
   * Whether the client sends in one go, at the end of a turn of the event loop, what it was given
   * in that turn. Answers that arrive together are then handed on in several turns, so that the
   * first callers' next requests are with the server while the others are still being answered.
   * Default: it sends at once.
   */
  readonly sendsOnceATurn?: boolean
  /** Whether a command sent now goes out now, rather than into a queue. */
  ready(): boolean
  /**
   * When the client is not ready: resolves once it is if its first connection is just being made;
   * else rejects at once with an error that says what is wrong.
   */
  opened(): Promise<void>
  evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>
  eval(script: string, keys: string[], args: string[]): Promise<unknown>
  del(keys: string[]): Promise<unknown>
  /**
   * Whether an error of the client's own, not a reply of Redis, says that the command was surely
   * not executed. Default: none does.
   */
  notExecuted?(error: unknown): boolean
}
