import { type Counted, type Rest, restOf } from './receipt.js'
import { isUnavailable } from './spillway-error.js'
import type { Store, Target } from './store.js'

/**
 * Gives back costs by receipt, at most once: they leave the rest before anything is sent, and
 * return to it only if the store surely did not see the request. Refunds of one receipt go one
 * after another, since each moves the receipt on.
 *
 * @param costs how much of each target's rest
 */
export async function giveBack(counted: Counted, costs: readonly number[]): Promise<void> {
  const { store } = counted
  if (store === null || costs.every((cost) => cost === 0)) return
  const rest = restOf(counted)
  rest.forEach((part, i) => {
    part.cost -= costs[i]!
  })
  // The first one goes out at once, before whatever the caller asks next.
  const done = counted.settled ? counted.settled.then(() => send(store)) : send(store)
  counted.settled = done.catch(() => {}) // the caller of this refund is told, not the next one
  await done

  async function send(store: Store): Promise<void> {
    const parts: Rest[] = []
    const targets: Target[] = []
    counted.targets.forEach((target, i) => {
      const part = rest[i]!
      if (costs[i] === 0) return
      parts.push(part)
      targets.push({ ...counted.inForce(target, i), cost: costs[i]!, receipt: part.receipt })
    })
    try {
      const ruling = await store.decide({ mode: 'giveBack', targets })
      parts.forEach((part, i) => {
        part.receipt = ruling.targets[i]!.receipt
      })
      counted.cameBack(targets)
    } catch (error) {
      if (isUnavailable(error)) {
        parts.forEach((part, i) => {
          part.cost += targets[i]!.cost
        })
      }
      throw error
    }
  }
}
