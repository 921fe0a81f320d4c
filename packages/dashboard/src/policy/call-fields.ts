// Which fields a tool's call has in the playground, and the call they make. Any other tool takes its input as JSON.

export interface CallField {
  readonly name: string
  readonly label: string
  readonly isLong?: boolean
}

const path: CallField = { name: 'file_path', label: 'File' }

const FIELDS: Readonly<Record<string, readonly CallField[]>> = {
  Bash: [{ name: 'command', label: 'Command', isLong: true }],
  Read: [path],
  Write: [path, { name: 'content', label: 'Content', isLong: true }],
  Edit: [path, { name: 'old_string', label: 'Old text', isLong: true }, { name: 'new_string', label: 'New text', isLong: true }],
  Glob: [{ name: 'pattern', label: 'Pattern' }],
  Grep: [
    { name: 'pattern', label: 'Pattern' },
    { name: 'path', label: 'Path' },
  ],
  WebFetch: [{ name: 'url', label: 'URL' }],
  Task: [
    { name: 'subagent_type', label: 'Sub-agent' },
    { name: 'prompt', label: 'Prompt', isLong: true },
  ],
}

export const KNOWN_TOOLS: readonly string[] = Object.keys(FIELDS)

/** null: the input is written as JSON. */
export function fieldsOf(tool: string): readonly CallField[] | null {
  return FIELDS[tool] ?? null
}

export type ReadInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: string }

/** `values` by field, and under `json` what was typed for a tool without fields. */
export function inputOf(tool: string, values: Readonly<Record<string, string>>): ReadInput {
  const fields = fieldsOf(tool)
  if (fields === null) return readJson(values.json ?? '')
  return { ok: true, input: Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ''])) }
}

/** Back from a recorded call to what stands in the fields. */
export function valuesOf(tool: string, input: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const fields = fieldsOf(tool)
  if (fields === null) return { json: JSON.stringify(input, null, 2) }
  return Object.fromEntries(fields.map(({ name }) => [name, typeof input[name] === 'string' ? input[name] : '']))
}

function readJson(text: string): ReadInput {
  if (text.trim() === '') return { ok: true, input: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, input: { ...value } }
    return { ok: false, why: 'The input must be an object: {"field": "value"}.' }
  } catch (error) {
    return { ok: false, why: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
