// Takes values out of a body before it leaves the machine, by JSON pointer (RFC 6901).
import { canonicalJson } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'

export interface Erased {
  readonly body: string
  /** Those of the pointers at which there was something. */
  readonly erased: readonly string[]
}

/** Undefined: these pointers can be used. */
export function eraseProblem(pointers: readonly string[], upload: string): string | undefined {
  if (pointers.length > 0 && upload !== 'bodies') return '--erase goes with --upload bodies: otherwise no body is sent at all'
  const bad = pointers.find(pointer => !/^(\/([^~/]|~[01])*)+$/.test(pointer))
  return bad === undefined ? undefined : `--erase is a JSON pointer as /input/command, this one is ${JSON.stringify(bad)}`
}

export function eraseFields(body: string, pointers: readonly string[]): Erased {
  if (pointers.length === 0) return { body, erased: [] }
  const value: unknown = JSON.parse(body)
  const erased = pointers.filter(pointer => eraseAt(value, pointer.slice(1).split('/').map(unescapeKey)))
  return erased.length === 0 ? { body, erased } : { body: canonicalJson(value), erased }
}

function eraseAt(value: unknown, [key = '', ...rest]: readonly string[]): boolean {
  if (!isObject(value) && !Array.isArray(value)) return false
  const fields = value as Record<string, unknown>
  if (!Object.hasOwn(fields, key)) return false
  if (rest.length > 0) return eraseAt(fields[key], rest)
  if (Array.isArray(value)) fields[key] = null
  else delete fields[key]
  return true
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}
