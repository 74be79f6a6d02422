/**
 * What a new package was given by its template and nobody has written yet: every line with a `TODO:`.
 *
 * @param {string} name of the file
 * @param {string} text
 * @returns {string[]} `README.md:3: TODO: what is to stand there`
 */
export function leftToWrite(name, text) {
  return text
    .split('\n')
    .map((line, i) => ({ todo: /TODO: [^"]*/.exec(line)?.[0], number: i + 1 }))
    .filter(({ todo }) => todo !== undefined)
    .map(({ todo, number }) => `${name}:${number}: ${todo}`)
}
