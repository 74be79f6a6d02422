import type { Law, Subject } from '@spillway/conformance'

/** A law that does not hold, and what it says of it. */
interface BrokenLaw {
  readonly law: Law
  readonly message: string
}

/**
 * The first law that is broken. Those that the store has no means for are left out.
 *
 * @returns nothing if all hold
 */
export async function brokenLaw(
  laws: readonly Law[],
  subject: Subject,
): Promise<BrokenLaw | undefined> {
  for (const law of laws) {
    if (law.needs !== undefined && !(law.needs in subject.store)) continue
    try {
      await law.check(subject)
    } catch (error) {
      return { law, message: error instanceof Error ? error.message : String(error) }
    }
  }
  return undefined
}
