import type { Clock, Store } from '@spillway/core'

/** One connection to a Redis, by whichever driver. */
export interface RedisLink {
  readonly store: Store
  /**
   * One more store over this connection, with a script of its own.
   *
   * @param clock decides instead of the server's
   */
  newStore(clock?: Clock): Store
  /** The server's time: whole microseconds since 1970. */
  time(): Promise<number>
  /** HGETALL. */
  hash(key: string): Promise<Readonly<Record<string, string>>>
  /** ZCARD. */
  logSize(key: string): Promise<number>
  /** MEMORY USAGE, every element counted; `null` without such a key, or where Redis refuses to tell. */
  bytes(key: string): Promise<number | null>
  /** One section of INFO. */
  info(section: 'server' | 'commandstats'): Promise<string>
  /** Closes it at once; may be called twice. */
  close(): void
}

/** How a driver is opened. */
export interface LinkOptions {
  readonly url: string
  /** Told once when the connection is lost, which ends the lab: it never connects again by itself. */
  onLost(cause: Error): void
}

/** TIME's reply in one number. */
export function microseconds([seconds, rest]: readonly unknown[]): number {
  return Number(seconds) * 1_000_000 + Number(rest)
}
