/** What one round of load has measured. */
export interface Round {
  readonly decisionsPerSecond: number
  /** CPU time of this process, user and system, per decision. */
  readonly clientUs: number
  readonly p50Us: number
  readonly p99Us: number
  readonly decisions: number
}

interface Load {
  /** How many ask at the same time, each as soon as it was answered. */
  readonly concurrency: number
  readonly forMs: number
  /** Asked for in turn. */
  readonly keys: readonly string[]
}

// One round's latencies; what is beyond is still counted, only not timed.
const samples = new Float64Array(2_000_000)

/** Loads a subject for a while. */
export async function load(
  decide: (key: string) => Promise<unknown>,
  { concurrency, forMs, keys }: Load,
): Promise<Round> {
  let asked = 0
  let decisions = 0
  const cpu = process.cpuUsage()
  const start = performance.now()
  const end = start + forMs

  async function caller(): Promise<void> {
    for (let sent = performance.now(); sent < end; ) {
      await decide(keys[asked++ % keys.length]!)
      const answered = performance.now()
      samples[decisions] = answered - sent
      decisions += 1
      sent = answered
    }
  }
  await Promise.all(Array.from({ length: concurrency }, caller))

  const elapsedMs = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  const latencies = samples.slice(0, decisions).sort()
  return {
    decisions,
    decisionsPerSecond: (decisions / elapsedMs) * 1000,
    clientUs: (user + system) / decisions,
    p50Us: latencies[Math.floor(latencies.length * 0.5)]! * 1000,
    p99Us: latencies[Math.floor(latencies.length * 0.99)]! * 1000,
  }
}
