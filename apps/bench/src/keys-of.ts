/** Keys of one subject: no other subject's keys are among them. */
export function keysOf(subject: string, count: number): readonly string[] {
  const prefix = subject.replaceAll(/[^\w-]+/g, '-')
  return Array.from({ length: count }, (_, i) => `${prefix}:user:${i}`)
}

/** Asks for every key so many times. */
export async function askEach(
  decide: (key: string) => Promise<unknown>,
  keys: readonly string[],
  times: number,
): Promise<void> {
  const total = keys.length * times
  for (let first = 0; first < total; first += 512) {
    const some = Array.from(
      { length: Math.min(512, total - first) },
      (_, i) => keys[(first + i) % keys.length]!,
    )
    await Promise.all(some.map(decide))
  }
}
