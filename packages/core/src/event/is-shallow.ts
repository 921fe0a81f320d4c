// How deep a value from outside may be nested: as deep as a whole payload may be. Whatever walks it afterwards does so on the stack.

const MAX_LEVELS = 64

export function isShallow(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every(inner => isShallow(inner, levels - 1))
}
