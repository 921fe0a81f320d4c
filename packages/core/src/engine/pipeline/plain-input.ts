// Whether an input can be judged: what rules see of it must be what the tool gets. Text, lists, maps and objects that inherit fields hold more
// than their own named fields say.
import { isObject } from '../../value/is-object.ts'

/** Null: it is a plain object. Else what is wrong with it. */
export function whyNotPlain(input: unknown): string | null {
  if (!isObject(input)) return `the input of a tool is an object, not ${nameOf(input)}`
  const parent: unknown = Object.getPrototypeOf(input)
  // Plain objects of another realm have another `Object`.
  const isPlain = parent === null || parent === Object.prototype || Object.getPrototypeOf(parent) === null
  return isPlain ? null : `the input of a tool is a plain object, not ${nameOf(input)}: rules would not see what it holds`
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text (parse it first)'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? `one of ${value.constructor?.name || 'a class'}` : `a ${typeof value}`
}
