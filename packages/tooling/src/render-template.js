/**
 * The name of a new rule, checked: kebab-case, as its folder and its algorithm are called.
 *
 * @param {string | undefined} name
 * @returns {string}
 * @throws {RangeError} naming what was received
 */
export function ruleName(name) {
  if (name !== undefined && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return name
  throw new RangeError(
    `NAME must be kebab-case, such as "cooldown" or "leaky-bucket", got ${JSON.stringify(name) ?? 'nothing'}`,
  )
}

/**
 * Puts a rule's name in the place of the template's, in each of the forms it is written in.
 *
 * @param {string} text
 * @param {string} name kebab-case
 * @returns {string}
 */
export function renderTemplate(text, name) {
  const camel = name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase())
  const words = name.replaceAll('-', ' ')
  const capital = (/** @type {string} */ word) => word.charAt(0).toUpperCase() + word.slice(1)
  return text
    .replaceAll('template-rule', name)
    .replaceAll('templateRule', camel)
    .replaceAll('TemplateRule', capital(camel))
    .replaceAll('Template rule', capital(words))
}
