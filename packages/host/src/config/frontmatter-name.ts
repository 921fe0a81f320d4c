// What a skill or a sub-agent says of itself in its frontmatter: its name, and lists of names.
import { isObject } from '@belay/core/value'
import { parse } from 'yaml'

/** null: it has no name of its own, so that of its folder or file counts. */
export function frontmatterName(text: string): string | null {
  const name = readFrontmatter(text).name
  return typeof name === 'string' && name !== '' ? name : null
}

/** Names in a list, or in a text with blanks or commas between them. */
export function frontmatterField(text: string, field: string): readonly string[] {
  const value = readFrontmatter(text)[field]
  const names = typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : []
  return names.filter((name): name is string => typeof name === 'string' && name !== '')
}

export function frontmatterValue(text: string, field: string): unknown {
  return readFrontmatter(text)[field]
}

function readFrontmatter(text: string): Readonly<Record<string, unknown>> {
  const block = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1]
  if (block === undefined) return {}
  try {
    const value: unknown = parse(block, { maxAliasCount: 20 })
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
