// What a tool call does, in the shape a person reads it: a command, a change of a file, or plain fields. Inputs come from agents: anything
// that is not of the expected type is shown as fields, never guessed at.

export type Input = Readonly<Record<string, unknown>>

export interface TextChange {
  readonly before: string
  readonly after: string
}

export type CallShape =
  | { readonly kind: 'command'; readonly command: string; readonly rest: Input }
  | { readonly kind: 'change'; readonly path: string; readonly changes: readonly TextChange[]; readonly rest: Input }
  | { readonly kind: 'patch'; readonly text: string; readonly rest: Input }
  | { readonly kind: 'fields'; readonly rest: Input }

export function shapeOf(tool: string | null, input: Input): CallShape {
  const { command, file_path: path, content, old_string, new_string, edits, input: patch } = input
  if (typeof command === 'string') return { kind: 'command', command, rest: without(input, ['command']) }
  if (typeof path === 'string' && typeof content === 'string') {
    return { kind: 'change', path, changes: [{ before: '', after: content }], rest: without(input, ['file_path', 'content']) }
  }
  if (typeof path === 'string' && typeof old_string === 'string' && typeof new_string === 'string') {
    return {
      kind: 'change',
      path,
      changes: [{ before: old_string, after: new_string }],
      rest: without(input, ['file_path', 'old_string', 'new_string']),
    }
  }
  const changes = readEdits(edits)
  if (typeof path === 'string' && changes !== null) return { kind: 'change', path, changes, rest: without(input, ['file_path', 'edits']) }
  if (tool === 'apply_patch' && typeof patch === 'string') return { kind: 'patch', text: patch, rest: without(input, ['input']) }
  return { kind: 'fields', rest: input }
}

/** The one line that stands for the call in a list. */
export function headOf(tool: string | null, input: Input): string {
  for (const key of ['command', 'file_path', 'path', 'url', 'query', 'pattern', 'prompt', 'description']) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return value
  }
  const keys = Object.keys(input)
  return keys.length === 0 ? (tool ?? '') : JSON.stringify(input)
}

function readEdits(edits: unknown): readonly TextChange[] | null {
  if (!Array.isArray(edits) || edits.length === 0) return null
  const changes: TextChange[] = []
  for (const edit of edits) {
    if (typeof edit?.old_string !== 'string' || typeof edit?.new_string !== 'string') return null
    changes.push({ before: edit.old_string, after: edit.new_string })
  }
  return changes
}

function without(input: Input, keys: readonly string[]): Input {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)))
}
