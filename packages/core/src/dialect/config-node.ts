// One tree for JSON, YAML and TOML: every value knows where it stands, so that whatever is said about it can name its line.
// Invariant: a tree is at most DEEPEST levels deep, so that walking it by recursion is safe.

export type Scalar = string | number | boolean | null

export interface ScalarNode {
  readonly kind: 'scalar'
  /** Offset of the value in the text. */
  readonly at: number
  readonly value: Scalar
}

export interface ArrayNode {
  readonly kind: 'array'
  readonly at: number
  readonly items: readonly ConfigNode[]
}

export interface ConfigEntry {
  readonly key: string
  /** Offset of the key. */
  readonly at: number
  readonly value: ConfigNode
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly at: number
  /** Each key once: where the text repeats one, the last value holds. */
  readonly entries: readonly ConfigEntry[]
}

export type ConfigNode = ScalarNode | ArrayNode | ObjectNode

/** Something wrong with the text, at an offset. */
export interface TextProblem {
  readonly severity: 'error' | 'warning' | 'info'
  readonly at: number
  readonly message: string
  readonly remedy?: string
}

export const DEEPEST = 200

export function makeObject(at: number, written: readonly ConfigEntry[], problems: TextProblem[]): ObjectNode {
  const last = new Map<string, ConfigEntry>()
  for (const entry of written) {
    if (last.has(entry.key))
      problems.push({ severity: 'warning', at: entry.at, message: `"${entry.key}" is there twice; the last one holds` })
    last.set(entry.key, entry)
  }
  return { kind: 'object', at, entries: last.size === written.length ? written : [...last.values()] }
}

export function makeScalar(at: number, value: Scalar): ScalarNode {
  return { kind: 'scalar', at, value }
}

export function field(node: ConfigNode | undefined, key: string): ConfigNode | undefined {
  return node?.kind === 'object' ? node.entries.find(entry => entry.key === key)?.value : undefined
}

export function objectField(node: ConfigNode | undefined, key: string): ObjectNode | undefined {
  const value = field(node, key)
  return value?.kind === 'object' ? value : undefined
}

export function itemsOf(node: ConfigNode | undefined): readonly ConfigNode[] {
  return node?.kind === 'array' ? node.items : []
}

export function textOf(node: ConfigNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
}

export function textField(node: ConfigNode | undefined, key: string): string | undefined {
  return textOf(field(node, key))
}

export function numberField(node: ConfigNode | undefined, key: string): number | undefined {
  const value = field(node, key)
  return value?.kind === 'scalar' && typeof value.value === 'number' ? value.value : undefined
}

export function flagField(node: ConfigNode | undefined, key: string): boolean | undefined {
  const value = field(node, key)
  return value?.kind === 'scalar' && typeof value.value === 'boolean' ? value.value : undefined
}

export function textsOf(node: ConfigNode | undefined): string[] {
  return itemsOf(node).flatMap(item => textOf(item) ?? [])
}

/** Plain data. `Object.fromEntries` makes own properties, so a key named `__proto__` is only a key. */
export function toValue(node: ConfigNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value
    case 'array':
      return node.items.map(toValue)
    case 'object':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toValue(value)]))
  }
}
