// Reads YAML nodes as what a policy expects. Invariant: a reader that returns null has reported why.

import { isMap, isScalar, isSeq } from 'yaml'
import { isObject } from '../../value/is-object.ts'
import { suggestRemedy } from './suggest.ts'
import { describeNode, type Node, report, resolve, type YamlSource } from './yaml-source.ts'

export interface Field {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

export type Fields = ReadonlyMap<string, Field>

const MAX_DEPTH = 32

/** A mapping whose keys are free. */
export function readFields(source: YamlSource, node: Node, what: string): Fields | null {
  const map = resolve(source, node)
  if (!isMap(map)) return report(source, node, `${what} must be a mapping, found ${describeNode(map)}`)
  const fields = new Map<string, Field>()
  for (const pair of map.items) {
    const key = keyText(pair.key)
    if (key === null) {
      report(source, pair.key ?? node, `a key of ${what} must be text, found ${describeNode(pair.key)}`, 'put it in quotes')
      continue
    }
    if (key === '<<') report(source, pair.key, `${what} uses the merge key \`<<\`, which policies do not support`, 'write the keys out')
    fields.set(key, { key, keyNode: pair.key, value: pair.value })
  }
  return fields
}

/** A mapping whose keys are fixed: any other key is an error. */
export function readKnownFields(source: YamlSource, node: Node, what: string, known: readonly string[]): Fields | null {
  const fields = readFields(source, node, what)
  if (fields === null) return null
  for (const field of fields.values()) {
    if (!known.includes(field.key) && field.key !== '<<') {
      report(source, field.keyNode, `${what} has no key \`${field.key}\``, suggestRemedy(field.key, known))
    }
  }
  return fields
}

export function readItems(source: YamlSource, node: Node, what: string): readonly Node[] | null {
  const list = resolve(source, node)
  if (!isSeq(list))
    return report(source, node, `${what} must be a list, found ${describeNode(list)}`, 'write one item a line, each with `- ` before it')
  return list.items
}

export function readText(source: YamlSource, node: Node, what: string): string | null {
  const scalar = resolve(source, node)
  if (isScalar(scalar) && typeof scalar.value === 'string') return scalar.value
  return report(source, node, `${what} must be text, found ${describeNode(scalar)}`, 'put it in quotes')
}

export function readFlag(source: YamlSource, node: Node, what: string): boolean | null {
  const scalar = resolve(source, node)
  if (isScalar(scalar) && typeof scalar.value === 'boolean') return scalar.value
  return report(source, node, `${what} must be true or false, found ${describeNode(scalar)}`)
}

export function readNumber(source: YamlSource, node: Node, what: string): number | null {
  const scalar = resolve(source, node)
  if (isScalar(scalar) && typeof scalar.value === 'number' && Number.isFinite(scalar.value)) return scalar.value
  return report(source, node, `${what} must be a number, found ${describeNode(scalar)}`)
}

export function readChoice<const T extends string>(source: YamlSource, node: Node, what: string, choices: readonly T[]): T | null {
  const text = readText(source, node, what)
  if (text === null) return null
  const choice = choices.find(each => each === text)
  return choice ?? report(source, node, `${what} is \`${text}\`, expected ${listChoices(choices)}`, suggestRemedy(text, choices))
}

export function readTexts(source: YamlSource, node: Node, what: string): readonly string[] | null {
  const items = readItems(source, node, what)
  if (items === null) return null
  const texts = items.map(item => readText(source, item, `an item of ${what}`))
  return texts.every(text => text !== null) ? texts : null
}

/** Any value as plain data (mapping keys become text). */
export function readData(source: YamlSource, node: Node, what: string, depth = 0): unknown {
  if (depth > MAX_DEPTH) return report(source, node, `${what} is nested more than ${MAX_DEPTH} levels deep`)
  const value = resolve(source, node)
  if (isScalar(value)) return value.value
  if (isSeq(value)) return value.items.map(item => readData(source, item, what, depth + 1))
  if (!isMap(value)) return null
  const entries = value.items.map(pair => [keyText(pair.key) ?? '', readData(source, pair.value, what, depth + 1)] as const)
  return Object.fromEntries(entries)
}

export function readRecord(source: YamlSource, node: Node, what: string): Readonly<Record<string, unknown>> | null {
  const map = resolve(source, node)
  if (!isMap(map)) return report(source, node, `${what} must be a mapping, found ${describeNode(map)}`)
  const data = readData(source, map, what)
  return isObject(data) ? data : null
}

/** `key:` with nothing after it. */
export function isNothing(node: Node): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null)
}

export function isTextNode(source: YamlSource, node: Node): boolean {
  const scalar = resolve(source, node)
  return isScalar(scalar) && typeof scalar.value === 'string'
}

export function isMapNode(source: YamlSource, node: Node): boolean {
  return isMap(resolve(source, node))
}

function keyText(key: Node): string | null {
  if (!isScalar(key)) return null
  if (typeof key.value === 'string') return key.value
  return key.value === null || typeof key.value === 'object' ? null : (key.source ?? String(key.value))
}

function listChoices(choices: readonly string[]): string {
  return choices.length === 1 ? `\`${choices[0]}\`` : `one of ${choices.join(', ')}`
}
