// StatusLine and FileSuggestion: commands that are settings, not hooks. Whatever goes wrong means no status and no suggestions.
import { inheritEnvironment } from './command/build-environment.ts'
import { toShellLine } from './command/command-line.ts'
import { runProcess } from './command/run-process.ts'

const LIMIT_MS = 5_000

export interface SettingCommandOptions {
  readonly cwd: string
  readonly disableAllHooks?: boolean
  readonly signal?: AbortSignal
  /** Variables of the agent's process that the command may see. */
  readonly agentEnv?: Readonly<Record<string, string>>
  /** Where PATH, HOME and the like come from. Default: this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly limitMs?: number
}

/** The lines of the status, or null: none. `context` is what the agent tells its status line. */
export async function runStatusLine(
  command: string,
  context: Readonly<Record<string, unknown>>,
  options: SettingCommandOptions,
): Promise<readonly string[] | null> {
  const output = await runSettingCommand(command, context, options)
  return output === null || output.trim() === '' ? null : output.replace(/\s+$/, '').split(/\r?\n/)
}

export async function runFileSuggestion(command: string, query: string, options: SettingCommandOptions): Promise<readonly string[]> {
  const output = await runSettingCommand(command, { query, cwd: options.cwd }, options)
  return output === null ? [] : output.split(/\r?\n/).filter(line => line !== '')
}

/** Null: switched off, or it did not succeed. */
async function runSettingCommand(
  command: string,
  input: Readonly<Record<string, unknown>>,
  options: SettingCommandOptions,
): Promise<string | null> {
  if (options.disableAllHooks) return null
  const end = await runProcess({
    ...toShellLine(command),
    cwd: options.cwd,
    env: { ...inheritEnvironment(options.env ?? process.env), ...options.agentEnv },
    input: `${JSON.stringify(input)}\n`,
    limitMs: options.limitMs ?? LIMIT_MS,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  return end.kind === 'exited' && end.exitCode === 0 ? end.stdout : null
}
