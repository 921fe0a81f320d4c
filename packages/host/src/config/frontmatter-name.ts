// What a skill or a sub-agent calls itself, by the `name` in its frontmatter.
import { parse } from 'yaml'

/** null: it has no name of its own, so that of its folder or file counts. */
export function frontmatterName(text: string): string | null {
  const block = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1]
  if (block === undefined) return null
  try {
    const value: unknown = parse(block, { maxAliasCount: 20 })
    const name: unknown = typeof value === 'object' && value !== null && 'name' in value ? value.name : null
    return typeof name === 'string' && name !== '' ? name : null
  } catch {
    return null
  }
}
