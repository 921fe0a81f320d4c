// What a tool that nobody described can be declared to be, in a policy or by the program that has it: a kind, or a tool that is known.
import { TOOL_NAMES } from './tool-family.ts'

/** The tool that each kind is judged as. */
const KINDS = { shell: 'Bash', read: 'Read', write: 'Write', fetch: 'WebFetch', search: 'WebSearch', agent: 'Task' } as const

export type ToolKind = keyof typeof KINDS

export const TOOL_KINDS: readonly ToolKind[] = Object.keys(KINDS) as ToolKind[]

/** The known tool that is meant; null: neither a kind nor a known tool. */
export function declaredTool(said: string): string | null {
  if (Object.hasOwn(KINDS, said)) return KINDS[said as ToolKind]
  return TOOL_NAMES.includes(said) ? said : null
}
