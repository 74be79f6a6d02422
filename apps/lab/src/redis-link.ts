import type { Store } from '@spillway/core'

/** One connection to a Redis, by whichever driver. */
export interface RedisLink {
  readonly store: Store
  /** The server's time: whole microseconds since 1970. */
  time(): Promise<number>
  /** HGETALL. */
  hash(key: string): Promise<Readonly<Record<string, string>>>
  /** ZCARD. */
  logSize(key: string): Promise<number>
  /** INFO, its section about the server. */
  info(): Promise<string>
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
