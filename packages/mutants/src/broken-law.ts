import type { Law, Subject } from '@spillway/conformance'

/**
 * What the first law that is broken says of it. Those that the store has no means for are left out.
 *
 * @returns nothing if all hold
 */
export async function brokenLaw(
  laws: readonly Law[],
  subject: Subject,
): Promise<string | undefined> {
  for (const law of laws) {
    if (law.needs !== undefined && !(law.needs in subject.store)) continue
    try {
      await law.check(subject)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  return undefined
}
