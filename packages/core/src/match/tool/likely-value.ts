// What a text of an unknown tool looks like, whatever its field is called: a path, an address, a structure that is written as text.
import { isObject } from '../../value/is-object.ts'

const MAX_PATH_LENGTH = 4096

/** A word that may name a file; null: it names none. */
export function likelyPath(text: string): string | null {
  if (isFileAddress(text)) return pathOfAddress(text)
  return text === '' || text.length > MAX_PATH_LENGTH || /[\s\0]/.test(text) || hasScheme(text) ? null : text
}

export function isFileAddress(text: string): boolean {
  return /^file:/i.test(text)
}

/** `file:///x`, `file://localhost/x`, `file:x?mode=ro` -> the path. */
export function pathOfAddress(text: string): string {
  const path = text.replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/i, '').replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `note://x`, `vscode://file/repo/.env`: the address of something that a server gives, which may be a file; null: it is none. */
export function pathsOfResource(text: string): readonly string[] | null {
  const place = /^(?!(?:https?|wss?|ftps?|sftp|ssh|git|rsync|file):)[a-z][a-z0-9+.-]*:\/\/(.*)$/is.exec(text)?.[1]
  if (place === undefined) return null
  const path = place.replace(/[?#].*$/s, '')
  return [path, path.slice(Math.max(path.indexOf('/'), 0))].filter(each => each !== '')
}

/** Addresses that a text names. */
export function addressesIn(text: string): readonly string[] {
  return text.match(/\b(?:https?|wss?|ftp):\/\/[^\s"'<>`\\)]+/gi)?.slice(0, MAX_QUOTED) ?? []
}

/** A list of them in one text, as the words between commas, semicolons and blanks; nothing where it is one word. */
export function wordsOfList(text: string): readonly string[] {
  if (text.length > MAX_PATH_LENGTH) return []
  const parts = text.split(/[\s,;]+/).filter(part => part !== '')
  return parts.length > 1 ? parts : []
}

/** As it is judged; null: it is none. A host alone counts where the field's name says that it is one. */
export function likelyUrl(text: string, isHost: boolean): string | null {
  if (/\s/.test(text) || text.length > MAX_PATH_LENGTH) return null
  if (/^(?:https?|wss?|ftps?|sftp|ssh|git|rsync):\/\//i.test(text)) return text
  if (!isHost) return null
  const host = /^(?:\/\/)?(?:[\w.-]+@)?((?:[\w-]+\.)+[\w-]+|localhost|\[[\da-f:]+\])(?=[:/]|$)/i.exec(text)?.[1]
  return host === undefined ? null : `https://${host}`
}

/** A list, also one that is written as an object: `{"0": "rm", "1": "-rf"}`; null: it is none. */
export function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isObject(value) || !Object.hasOwn(value, '0')) return null
  const keys = Object.keys(value)
  return keys.every((key, index) => key === String(index)) ? Object.values(value) : null
}

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text)
}

export type Structure =
  | { readonly kind: 'value'; readonly value: object | string }
  /** Readers differ about it: what stands in quotes may be meant. */
  | { readonly kind: 'quoted'; readonly texts: readonly string[] }

/** What is written as JSON, or nearly; null: it is plain text. */
export function readStructure(text: string): Structure | null {
  if (!/^\s*["[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return { kind: 'value', value }
    if (typeof value !== 'object' || value === null) return null
    return isDoubled(text, value) ? { kind: 'quoted', texts: quoted(text) } : { kind: 'value', value }
  } catch {
    return /^\s*["]/.test(text) ? null : { kind: 'quoted', texts: quoted(text) }
  }
}

/** Of two values under one key some readers take the first and some the last. */
function isDoubled(text: string, value: object): boolean {
  const written = [...text.matchAll(/"(?:\\.|[^"\\])*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length
  return written !== countKeys(value)
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value).reduce<number>((sum, each) => sum + countKeys(each), 0)
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length)
}

const MAX_QUOTED = 1000

function quoted(text: string): readonly string[] {
  const found: string[] = []
  for (const [, double, single] of text.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'/g)) {
    if (found.length >= MAX_QUOTED) break
    found.push((double ?? single ?? '').replace(/\\(.)/g, '$1'))
  }
  return found
}
