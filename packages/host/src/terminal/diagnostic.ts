// Diagnostics as a person and as a program read them.
import type { Diagnostic } from '@belay/core/policy'
import { type CommandIo, printLine } from './io.ts'

export interface JsonDiagnostic {
  readonly severity: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly remedy?: string
}

export function toJson({ severity, message, place, remedy }: Diagnostic): JsonDiagnostic {
  return { severity, ...place, message, ...(remedy === undefined ? {} : { remedy }) }
}

/** `file:line:column: error: message`, which editors can jump to, and the remedy below it. */
export function printDiagnostics(io: CommandIo, diagnostics: readonly Diagnostic[]): void {
  for (const { severity, message, place, remedy } of diagnostics) {
    printLine(io.stderr, `${place.file}:${place.line}:${place.column}: ${severity}: ${message}`)
    if (remedy !== undefined) printLine(io.stderr, `  ${remedy}`)
  }
}
