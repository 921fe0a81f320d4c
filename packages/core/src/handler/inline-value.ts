// Copies of the values that function hooks may change, and the check whether they did.
// Invariant: plain objects and arrays are copied; anything else (a Buffer, a Date, an instance of a class) is passed on as it is.

export function copyValue(value: unknown, copies = new Map<object, object>()): unknown {
  if (!isPlain(value)) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const list: unknown[] = []
    copies.set(value, list)
    for (const item of value) list.push(copyValue(item, copies))
    return list
  }
  const copy: Record<string, unknown> = {}
  copies.set(value, copy)
  for (const key of Object.keys(value)) setOwn(copy, key, copyValue((value as Record<string, unknown>)[key], copies))
  return copy
}

export function isSameValue(first: unknown, second: unknown, compared = new Map<object, object>()): boolean {
  if (Object.is(first, second)) return true
  if (!isPlain(first) || !isPlain(second) || Array.isArray(first) !== Array.isArray(second)) return false
  if (compared.get(first) === second) return true
  compared.set(first, second)
  const keys = Object.keys(first)
  if (keys.length !== Object.keys(second).length) return false
  return keys.every(
    key =>
      Object.hasOwn(second, key) &&
      isSameValue((first as Record<string, unknown>)[key], (second as Record<string, unknown>)[key], compared),
  )
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

/** `__proto__` in a tool's input is a key like any other. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}
