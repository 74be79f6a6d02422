import type { Reply } from './resp.js'

/** What every server offers, ours or the user's. */
export interface RedisAccess {
  /** `redis://…`, as every driver takes it. */
  readonly url: string
  readonly host: string
  readonly port: number
  /**
   * Sends one command over a connection of its own: so nothing that lives in one (`MULTI`, `WAIT`, `SUBSCRIBE`) makes sense.
   *
   * @throws TestbedError `REPLY` with Redis's own message; `UNREACHABLE`; `NOT_OWN` for a `FLUSHALL`, `FLUSHDB` or
   * `SHUTDOWN` on a server that is the user's
   */
  command(...args: readonly (string | number)[]): Promise<Reply>
  /** Kills an owned server and removes what it wrote; leaves the user's alone. May be called twice. */
  stop(): Promise<void>
}

/** The server `REDIS_URL` names: others may use it too, so tests leave everything in it but their own keys alone. */
export interface UsersRedis extends RedisAccess {
  readonly own: false
}

/** A server of ours, to be flushed, killed and paused at will. Ends with this process at the latest. */
export interface OwnRedis extends RedisAccess {
  readonly own: true
  /** Changes with `restart`. In a container: its pid in there. */
  readonly pid: number
  /** `SIGKILL`: connections break, and nothing listens until `restart`. */
  kill(): Promise<void>
  /** `SIGSTOP`: connections stay open, and nothing is answered until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Kills it if need be and starts it anew on the same port, empty: neither data nor scripts survive. */
  restart(): Promise<void>
}

export type RedisServer = OwnRedis | UsersRedis
