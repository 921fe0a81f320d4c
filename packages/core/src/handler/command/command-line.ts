// The program and arguments of a command hook: a shell with the command as its one argument, or the program itself.
import type { CommandHandler } from '../../hook/hook-definition.ts'

export interface CommandLine {
  readonly program: string
  readonly args: readonly string[]
}

export function toCommandLine(handler: CommandHandler, variables: Readonly<Record<string, string>>): CommandLine {
  if (handler.args !== undefined) {
    const expand = (text: string) => expandPlaceholders(text, variables)
    return { program: expand(handler.command), args: handler.args.map(expand) }
  }
  return toShellLine(handler.command, handler.shell)
}

export function toShellLine(command: string, shell: CommandHandler['shell'] = 'sh'): CommandLine {
  if (shell === 'powershell') return { program: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command', command] }
  return { program: shell, args: ['-c', command] }
}

/** Without a shell nobody else fills in `${CLAUDE_PROJECT_DIR}`; names that are not given stay as they are. */
function expandPlaceholders(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  )
}
