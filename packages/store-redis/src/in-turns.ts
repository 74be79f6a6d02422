/**
 * Spreads work over turns of the event loop: what it answers for a piece of work is to be awaited
 * before that is done, and is nothing for what still fits into this turn, `most` units in all.
 */
export function inTurns(most: number): (units: number) => Promise<void> | undefined {
  const waiting: { readonly units: number; readonly go: () => void }[] = []
  let done = 0
  let goesOn = false

  return (units) => {
    if (!goesOn) {
      goesOn = true
      setImmediate(nextTurn)
    }
    if (waiting.length === 0 && fits(units)) {
      done += units
      return undefined
    }
    return new Promise((go) => {
      waiting.push({ units, go })
    })
  }

  function nextTurn(): void {
    done = 0
    while (waiting.length > 0 && fits(waiting[0]!.units)) {
      const { units, go } = waiting.shift()!
      done += units
      go()
    }
    goesOn = done > 0
    if (goesOn) setImmediate(nextTurn)
  }

  function fits(units: number): boolean {
    return done === 0 || done + units <= most
  }
}
