import type { History, Step } from './steps.js'

/** What a law has tried, for people: a history one step a line, and what else was drawn as JSON. */
export function caseLines(value: unknown): readonly string[] {
  if (isHistory(value)) return [`at ${value.start} µs`, ...value.steps.map(stepText)]
  if (Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null)) {
    return value.flatMap((one) => (Array.isArray(one) && one.length === 0 ? [] : caseLines(one)))
  }
  return [String(JSON.stringify(value))]
}

function isHistory(value: unknown): value is History {
  return typeof value === 'object' && value !== null && 'start' in value && 'steps' in value
}

function stepText(step: Step): string {
  switch (step.do) {
    case 'wait':
      return `wait ${step.us} µs`
    case 'wait out':
      return `wait as long as the last answer says${step.lessUs === 0 ? '' : `, less ${step.lessUs} µs`}`
    case 'step back':
      return `set the clock back by ${step.us} µs`
    case 'give back': {
      const which =
        step.which === 'latest' ? 'the latest one' : `number ${step.which}, counted round`
      return `give back up to ${step.cost} of what was allowed: ${which}`
    }
    default:
      return `${step.do} ${step.cost}`
  }
}
