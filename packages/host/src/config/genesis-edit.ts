// Adds one rule to genesis.key text and leaves every other byte alone: comments, quotes, indentation, blank lines.
// The YAML tree only says where; the change itself is an insertion into the text, in the style (block or flow) it finds there.
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'

export interface NewRule {
  readonly actor: string
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly pattern: string
}

export type EditedPolicy =
  | { readonly kind: 'added'; readonly text: string }
  | { readonly kind: 'present' }
  /** The text has a shape that cannot be extended. */
  | { readonly kind: 'refused'; readonly why: string }

/** What a new file says before its first rule. */
export const EMPTY_POLICY = 'version: "2.0"\n\npermissions:\n  default: none\n'

/** One after the other; all of them or none. */
export function addRulesText(text: string, rules: readonly NewRule[]): EditedPolicy {
  let edited = text
  for (const rule of rules) {
    const one = addRuleText(edited, rule)
    if (one.kind === 'refused') return one
    if (one.kind === 'added') edited = one.text
  }
  return edited === text ? { kind: 'present' } : added(edited)
}

export function addRuleText(text: string, rule: NewRule): EditedPolicy {
  const document = parseDocument(text)
  if (document.errors.length > 0) return { kind: 'refused', why: 'it is not valid YAML' }
  const path = ['permissions', 'actors', rule.actor, rule.effect]
  let node: unknown = document.contents
  for (const [depth, key] of path.entries()) {
    if (!isMap(node)) return { kind: 'refused', why: `\`${path[depth - 1] ?? 'the policy'}\` is not a mapping` }
    const child = node.get(key, true)
    const missing = { keys: path.slice(depth + 1), pattern: rule.pattern }
    if (child === undefined) return added(insertPair(text, node, { ...missing, keys: [key, ...missing.keys] }))
    if (isEmpty(child)) return added(fillEmpty(text, child, { ...missing, indent: columnOf(text, keyStart(node, key)) }))
    node = child
  }
  if (!isSeq(node)) return { kind: 'refused', why: `\`${rule.effect}\` is not a list` }
  if (node.items.some(item => ruleTextOf(item) === rule.pattern)) return { kind: 'present' }
  return added(insertItem(text, node, rule.pattern))
}

interface Missing {
  /** Keys that are not there yet, outermost first; the list comes below the last. */
  readonly keys: readonly string[]
  readonly pattern: string
}

function added(text: string): EditedPolicy {
  return { kind: 'added', text }
}

function insertItem(text: string, list: { readonly items: readonly unknown[]; readonly flow?: boolean }, pattern: string): string {
  const last = list.items.at(-1)
  const end = lastEnd(last)
  if (list.flow === true) return insert(text, end, `, ${JSON.stringify(pattern)}`)
  const dash = text.lastIndexOf('-', startOf(last))
  return insertLines(text, end, [`${' '.repeat(columnOf(text, dash))}- ${JSON.stringify(pattern)}`])
}

function insertPair(
  text: string,
  map: { readonly items: readonly { key: unknown; value: unknown }[]; readonly flow?: boolean },
  missing: Missing,
): string {
  const last = map.items.at(-1)
  const end = Math.max(lastEnd(last?.key), lastEnd(last?.value))
  if (map.flow === true) return insert(text, end, `, ${flowText(missing)}`)
  return insertLines(text, end, blockLines(missing, columnOf(text, startOf(map.items[0]?.key))))
}

/** `key:` with nothing, `{}` or `[]` behind it. */
function fillEmpty(text: string, empty: unknown, { indent, ...missing }: Missing & { readonly indent: number }): string {
  if (isScalar(empty)) return insertLines(text, startOf(empty), blockLines(missing, indent + 2))
  const inner = missing.keys.length === 0 ? JSON.stringify(missing.pattern) : flowText(missing)
  return insert(text, startOf(empty) + 1, inner)
}

function blockLines({ keys, pattern }: Missing, indent: number): readonly string[] {
  const lines = keys.map((key, depth) => `${' '.repeat(indent + 2 * depth)}${keyText(key)}:`)
  return [...lines, `${' '.repeat(indent + 2 * keys.length)}- ${JSON.stringify(pattern)}`]
}

function flowText({ keys, pattern }: Missing): string {
  const [key = '', ...rest] = keys
  return `${keyText(key)}: ${rest.length === 0 ? `[${JSON.stringify(pattern)}]` : `{${flowText({ keys: rest, pattern })}}`}`
}

function keyText(key: string): string {
  return /^[A-Za-z][\w-]*$/.test(key) ? key : JSON.stringify(key)
}

function insert(text: string, at: number, addition: string): string {
  return text.slice(0, at) + addition + text.slice(at)
}

/** Below the line of `at`, so that a comment behind it stays where it is. */
function insertLines(text: string, at: number, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lineBreak = text.indexOf('\n', at)
  if (lineBreak === -1) return `${text}${eol}${lines.join(eol)}${eol}`
  return insert(text, lineBreak + 1, `${lines.join(eol)}${eol}`)
}

function isEmpty(node: unknown): boolean {
  return isScalar(node) ? node.value === null : (isMap(node) || isSeq(node)) && node.items.length === 0
}

function ruleTextOf(item: unknown): unknown {
  if (isScalar(item)) return item.value
  return isMap(item) ? item.get('rule') : undefined
}

function keyStart(map: { readonly items: readonly { key: unknown }[] }, key: string): number {
  return startOf(map.items.find(pair => isScalar(pair.key) && pair.key.value === key)?.key)
}

function startOf(node: unknown): number {
  return (isScalar(node) || isMap(node) || isSeq(node)) && node.range ? node.range[0] : 0
}

/** Where the text of a node ends; a block ends with its last leaf, before any comment. */
function lastEnd(node: unknown): number {
  if ((isMap(node) || isSeq(node)) && node.flow !== true && node.items.length > 0) {
    const last: unknown = node.items.at(-1)
    if (isSeq(node)) return lastEnd(last)
    const pair = node.items.at(-1)
    return isMap(node) && pair !== undefined ? Math.max(lastEnd(pair.key), lastEnd(pair.value)) : 0
  }
  return (isScalar(node) || isMap(node) || isSeq(node)) && node.range ? node.range[1] : 0
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}
