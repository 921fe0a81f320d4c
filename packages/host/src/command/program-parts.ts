// What the descriptions of commands share.
import type { Command } from 'commander'
import type { ExitCode } from '../terminal/io.ts'

export type Settle = (code: ExitCode | Promise<ExitCode>) => Promise<void>

/** An action's code becomes that of the program. */
export function settleInto(outcome: { code: number }): Settle {
  return async code => {
    outcome.code = await code
  }
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON')
}

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`
}

/** Without the keys that were not given: optional means absent, not undefined. */
export function given(values: { readonly file: string | undefined }): { readonly file?: string } {
  return values.file === undefined ? {} : { file: values.file }
}
