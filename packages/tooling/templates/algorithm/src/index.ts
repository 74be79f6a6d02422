export { type TemplateRuleOptions, templateRule } from './template-rule.js'
