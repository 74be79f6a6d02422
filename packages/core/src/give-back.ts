import type { Counted, Rest } from './receipt.js'
import type { ErrorCode } from './spillway-error.js'
import type { Store, Target } from './store.js'

/**
 * Gives back costs by receipt, at most once: they leave the rest before anything is sent, and
 * return to it only if the store surely did not see the request. Refunds of one receipt go one
 * after another, since each moves the receipt on.
 *
 * @param costs how much of each target's rest
 */
export function giveBack(
  store: Store,
  counted: Counted,
  rest: readonly Rest[],
  costs: readonly number[],
): Promise<void> {
  rest.forEach((part, i) => {
    part.cost -= costs[i]!
  })
  const done = (counted.settled ?? Promise.resolve()).then(send)
  counted.settled = done.catch(() => {}) // the caller of this refund is told, not the next one
  return done

  async function send(): Promise<void> {
    const parts: Rest[] = []
    const targets: Target[] = []
    counted.targets.forEach((target, i) => {
      const part = rest[i]!
      if (costs[i] === 0) return
      parts.push(part)
      targets.push({ ...target, cost: costs[i]!, receipt: part.receipt })
    })
    try {
      const ruling = await store.decide({ mode: 'giveBack', targets })
      parts.forEach((part, i) => {
        part.receipt = ruling.targets[i]!.receipt
      })
    } catch (error) {
      if (surelyUnseen(error)) {
        parts.forEach((part, i) => {
          part.cost += targets[i]!.cost
        })
      }
      throw error
    }
  }
}

/** By code and not by class, of which a store may have brought a copy of its own. */
function surelyUnseen(error: unknown): boolean {
  const unavailable: ErrorCode = 'STORE_UNAVAILABLE'
  return error instanceof Error && 'code' in error && error.code === unavailable
}
