import { invalid } from './invalid.js'

/** Values by the names of policies, as a caller gives them. */
export type ByPolicy<T> = { readonly [name: string]: T }

/** Whether a value is given for each policy, rather than one for all. */
export function isByPolicy<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null
}

/** A caller's value for one policy; a name such as `constructor` is not found in every object. */
export function valueFor<T>(values: ByPolicy<T>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Refuses values for policies that a limiter does not have. */
export function requireKnownNames(option: string, values: object, names: readonly string[]): void {
  const unknown = Object.keys(values).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw invalid(option, `must name policies of the limiter (${names.join(', ')})`, unknown)
}
