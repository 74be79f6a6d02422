import { expect, test } from 'vitest'
import { renderTemplate, ruleName } from '../src/render-template.js'

test('a rule is named in kebab-case', () => {
  expect(ruleName('cooldown')).toBe('cooldown')
  expect(ruleName('leaky-bucket-2')).toBe('leaky-bucket-2')
  for (const name of [undefined, '', 'Leaky', 'leaky_bucket', '-leaky', 'leaky-', '2nd', '../x']) {
    expect(() => ruleName(name)).toThrow(/NAME must be kebab-case/)
  }
})

test('a template speaks of the new rule in every form of its name', () => {
  const text = 'template-rule templateRule TemplateRuleOptions Template rule'
  expect(renderTemplate(text, 'two-words')).toBe('two-words twoWords TwoWordsOptions Two words')
})
