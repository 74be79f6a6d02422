import type { Counted, Rest } from './receipt.js'
import { SpillwayError } from './spillway-error.js'
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
      if (error instanceof SpillwayError && error.code === 'STORE_UNAVAILABLE') {
        parts.forEach((part, i) => {
          part.cost += targets[i]!.cost
        })
      }
      throw error
    }
  }
}
