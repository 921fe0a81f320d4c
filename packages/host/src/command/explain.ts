// `belay explain -- COMMAND`: how a command line is taken apart, and which rule decides each piece.
import { compileRules, effectivePermissions, explainCall, renderExplanation } from '@belay/core/policy'
import { judgeContext } from '../config/genesis-context.ts'
import { findHome } from '../config/home.ts'
import { type CommandIo, type ExitCode, exitCodeOf, fail, printJson } from './io.ts'
import { asTrusted, loadForCommand, printBroken } from './policies.ts'

export interface ExplainOptions {
  readonly words: readonly string[]
  readonly actor: string
  readonly json?: boolean
}

export function runExplain({ words, actor, json }: ExplainOptions, io: CommandIo): ExitCode {
  const command = joinWords(words)
  if (command.trim() === '') return fail(io, 'there is no command to explain', "write it after --: belay explain -- 'git push'")
  const loaded = loadForCommand(io)
  printBroken(io, loaded)
  const compiled = compileRules(effectivePermissions(asTrusted(io, loaded.policies), actor))
  const hasPolicy = loaded.policies.length > 0
  const context = judgeContext({ root: loaded.root, cwd: io.cwd, belayHome: findHome(io.env), env: io.env, hasPolicy })
  const explanation = explainCall({ tool: 'Bash', input: { command } }, compiled, context)
  if (json === true) printJson(io, { ...explanation, actor })
  else io.stdout.write(renderExplanation(explanation, { color: io.isTty && io.env.NO_COLOR === undefined }))
  return exitCodeOf(explanation.decision)
}

/** One word is a whole command line. Several were split by the caller's shell: their blanks get their quotes back, operators stay. */
function joinWords(words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? ''
  return words.map(word => (/^(?:[\w@%+=:,./~*?{}[\]$!-]+|[;&|<>()]+)$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
