/**
 * A function of a few whole numbers, written down: `2N − 1`, `C + ⌈R/100⌉`. Found by trying it, and tried again at other
 * numbers, so that what is written is what it answers.
 *
 * @param {(numbers: Readonly<Record<string, number>>) => number} answer
 * @param {readonly string[]} names of the numbers, each a letter
 * @param {string} [given] what holds of two of them, as `R ≤ C` or `2 ≤ R ≤ C`
 * @returns {string}
 * @throws Error if it is no sum of multiples of the numbers, of their hundredths rounded up, and of 1
 */
export function symbolic(answer, names, given) {
  const [, least = 1, lesser, greater] = /^(?:(\d+) ≤ )?(\w+) ≤ (\w+)$/.exec(given ?? '') ?? []
  if (given !== undefined && lesser === undefined)
    throw new Error(`not of the form R ≤ C: ${given}`)
  const all = (/** @type {number} */ number) =>
    Object.fromEntries(names.map((name) => [name, number]))

  const terms = names.map((name) => {
    const others =
      name === lesser && greater !== undefined ? { ...all(10), [greater]: 1000 } : all(10)
    const at = (/** @type {number} */ number) => answer({ ...others, [name]: number })
    const whole = at(11) - at(10)
    return { name, whole, hundredth: at(110) - at(10) - 100 * whole }
  })
  const sum = (/** @type {Readonly<Record<string, number>>} */ numbers) =>
    terms.reduce((total, { name, whole, hundredth }) => {
      const number = numbers[name] ?? 0
      return total + whole * number + hundredth * Math.ceil(number / 100)
    }, 0)
  const constant = answer(all(10)) - sum(all(10))

  for (const numbers of combinations(names)) {
    if (
      lesser !== undefined &&
      greater !== undefined &&
      ((numbers[lesser] ?? 0) < Number(least) || (numbers[lesser] ?? 0) > (numbers[greater] ?? 0))
    )
      continue
    if (answer(numbers) !== sum(numbers) + constant) {
      throw new Error(`no simple sum: for ${JSON.stringify(numbers)} it is ${answer(numbers)}`)
    }
  }
  return shown([
    ...terms.flatMap(({ name, whole, hundredth }) => [
      { factor: whole, of: name },
      { factor: hundredth, of: `⌈${name}/100⌉` },
    ]),
    { factor: constant, of: '' },
  ])
}

/**
 * @param {readonly string[]} names
 * @returns {readonly Readonly<Record<string, number>>[]}
 */
function combinations(names) {
  const [name, ...rest] = names
  if (name === undefined) return [{}]
  return combinations(rest).flatMap((others) =>
    [1, 2, 7, 99, 100, 101, 250, 1000].map((number) => ({ ...others, [name]: number })),
  )
}

/** @param {readonly { factor: number, of: string }[]} terms */
function shown(terms) {
  let text = ''
  for (const { factor, of } of terms) {
    if (factor === 0) continue
    const size = Math.abs(factor)
    const term = of !== '' && size === 1 ? of : `${size}${of}`
    text += text === '' ? (factor < 0 ? `−${term}` : term) : ` ${factor < 0 ? '−' : '+'} ${term}`
  }
  return text === '' ? '0' : text
}
