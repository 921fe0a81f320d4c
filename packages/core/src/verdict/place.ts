/** A place in a file that a person can open. Lines and columns count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

export function formatPlace(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`
}

export type Severity = 'error' | 'warning' | 'info'

/** Something to tell a person about a file they wrote. */
export interface Diagnostic {
  readonly severity: Severity
  readonly message: string
  readonly place: Place
  /** What to do about it, when that is known ("did you mean pre_tool_use?"). */
  readonly remedy?: string
}
