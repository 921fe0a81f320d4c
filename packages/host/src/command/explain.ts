// `belay explain -- COMMAND`: how a command line is taken apart, and which rule decides each piece, by the guard that the daemon uses.
import {
  compileRules,
  type Explanation,
  effectivePermissions,
  explainCall,
  explainJudgement,
  renderExplanation,
  type ToolCall,
} from '@belay/core/policy'
import { readConfig } from '../config/config-file.ts'
import { judgeContext } from '../config/genesis-context.ts'
import { findHome, homePaths } from '../config/home.ts'
import { buildGuard, type GuardSources } from '../guard/load-guard.ts'
import { simulatedEvent } from '../guard/simulated-event.ts'
import { type CommandIo, type ExitCode, exitCodeOf, fail, printJson, printLine } from '../terminal/io.ts'
import { own } from '../terminal/visible.ts'
import { guardPlace, loadSources } from './policies.ts'

export interface ExplainOptions {
  readonly words: readonly string[]
  readonly actor: string
  readonly agent?: string
  readonly asTrusted?: boolean
  readonly json?: boolean
}

export function runExplain(options: ExplainOptions, io: CommandIo): ExitCode {
  const command = joinWords(options.words)
  if (command.trim() === '') return fail(io, 'there is no command to explain', "write it after --: belay explain -- 'git push'")
  const sources = loadSources(io, { asTrusted: options.asTrusted === true })
  const explanation = explain(sources, { tool: 'Bash', input: { command } }, options, io)
  if (options.json === true) printJson(io, { ...explanation, actor: options.actor })
  else printLine(io.stdout, renderExplanation(explanation, { color: io.isTty && io.env.NO_COLOR === undefined, own }).trimEnd())
  return exitCodeOf(explanation.decision)
}

function explain(sources: GuardSources, call: ToolCall, { actor, agent = 'claude-code' }: ExplainOptions, io: CommandIo): Explanation {
  const { root, policies, locked } = sources.loaded
  if (policies.length === 0 && locked === null) {
    // Nothing is decided; how the command is taken apart is worth a look all the same.
    const context = judgeContext({ root, cwd: io.cwd, belayHome: findHome(io.env), env: io.env, hasPolicy: false })
    return explainCall(call, compileRules(effectivePermissions(policies, actor)), context)
  }
  const place = guardPlace(io)
  const config = readConfig(homePaths(place.home).config)
  const guard = buildGuard(sources, place, { config: config.ok ? config.config : {} })
  return explainJudgement(call, guard.judge(call, simulatedEvent({ call, actor, agent, cwd: io.cwd })))
}

/** One word is a whole command line. Several were split by the caller's shell: their blanks get their quotes back, operators stay. */
function joinWords(words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? ''
  return words.map(word => (/^(?:[\w@%+=:,./~*?{}[\]$!-]+|[;&|<>()]+)$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
