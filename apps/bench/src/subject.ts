/** Whose work a subject is. */
export type Group = 'floor' | 'lesson' | 'peer' | 'spillway'

export type Driver = 'ioredis' | 'node-redis'

/** What a subject is to enforce, on each key. */
export interface Limit {
  readonly limit: number
  readonly windowMs: number
}

/** One way of deciding a request, to be measured beside others. */
export interface Subject {
  readonly name: string
  readonly group: Group
  readonly driver: Driver
  /** Connects to the Redis at this URL. */
  open(url: string, limit: Limit): Promise<OpenSubject>
}

export interface OpenSubject {
  /** Asks for one request of this key. What it resolves to is the subject's own. */
  decide(key: string): Promise<unknown>
  /** Whether such an answer allows the request. `undefined`: a floor, which decides nothing. */
  allows(answer: unknown): boolean | undefined
  close(): void
}
