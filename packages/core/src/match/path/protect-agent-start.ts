// An agent that is started without our hooks does what this one may not: with options that leave its settings out, with another home for
// them, with variables that reach the shell of its hook lines before us, or in a folder where this project's policy does not hold.
import type { EnvAssignment, Unit, Word } from '../shell/shell-analysis.ts'
import { leadingText } from '../shell/word.ts'
import { agentOf, agentOfPackage } from './agent-program.ts'
import { below } from './path-anchors.ts'
import type { OperandContext } from './protect-operand.ts'
import type { Protection } from './protect-path.ts'
import { optionValues } from './tree-layer.ts'

/** Options that leave settings out, or put others in their place. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  claude: /^--(?:bare|settings|setting-sources|safe-mode|agents)(?:=|$)/,
  codex:
    /^(?:--ignore-user-config|--disable|--profile|-p)(?:=|$)|^(?:-c|--config=)?(?:hooks|features|mcp_servers|notify|shell_environment_policy)\b/,
  opencode: /^--pure$/,
  kilo: /^--pure$/,
  qwen: /^--(?:bare|safe-mode)(?:=|$)/,
  cline: /^--(?:config|data-dir)(?:=|$)/,
  copilot: /^--config-dir(?:=|$)/,
  pi: /^(?:-ne|--no-extensions)$/,
}
/** Hooks, and what brings programs that the agent starts by itself. */
const BRINGS = /^--?[\w-]*(?:hooks?|mcp-config|plugin-dir|plugin-url)\b/i
/** Other programs may have the agent run commands then, without a call that hooks hear of. */
const SERVES = /^(?:serve|web|acp|app-server|exec-server|mcp-server|sandbox|debug|remote-control|--acp|--experimental-acp)$/

const HOMES =
  /^(?:CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?:\w+_)?(?:SIMPLE|SAFE|SHELL|HOOKS?|SETTINGS|CONFIG|PLUGINS?|PERSONAL)(?:_\w+)?|CODEX_HOME|GEMINI_CLI_\w+|QWEN_(?:CODE_\w+|HOME)|OPENCODE_\w+|KILO_\w+|COPILOT_HOME|CURSOR_CONFIG_DIR|GOOSE_\w+|CLINE_\w*DIR|PI_\w+_DIR|GROK_(?:\w+_)?(?:HOME|CONFIG|HOOKS|PLUGIN|TRUST)(?:_\w+)?)$/
const SHELLS = /^(?:HOME|USERPROFILE|XDG_CONFIG_(?:HOME|DIRS)|PATH|SHELL|SHELLOPTS|BASHOPTS|BASH_ENV|ENV|NODE_OPTIONS|LD_\w+|DYLD_\w+)$/

export function protectAgentStart(program: string, words: readonly Word[], assignments: readonly EnvAssignment[]): Protection | null {
  const agent = startedAgent(program, words)
  if (agent !== undefined) {
    const set = assignments.find(({ name }) => HOMES.test(name) || SHELLS.test(name))
    if (set !== undefined) return ask(agent, set.name)
    const option = words.slice(1).find(word => isSwitch(agent, leadingText(word)))
    if (option !== undefined) return ask(agent, option.source)
    const verb = words.find(
      ({ value }, at) => at > 0 && at < VERB_WITHIN && SERVES.test(value ?? '') && !PROMPTS.test(words[at - 1]?.value ?? ''),
    )
    return verb === undefined ? null : ask(agent, verb.source)
  }
  const early = BRINGS_PACKAGES.test(program) ? words.slice(1).find(({ value }) => isOtherVersion(value ?? '')) : undefined
  if (early !== undefined) return ask('an agent', early.source)
  const led = assignments.find(({ name }) => HOMES.test(name) || (SHELLS.test(name) && words.some(isAgent)))
  if (led !== undefined) return ask('an agent', led.name)
  if (program === 'env') return protectEnv(words)
  const exported = EXPORTERS.test(program) ? words.slice(1).find(word => HOMES.test(nameIn(word))) : undefined
  return exported === undefined ? null : ask('an agent', exported.source)
}

/** `HOME=/tmp/x; claude -p x`, `unset HOME && codex exec x`: what the line sets holds for what it starts. */
export function protectAgentLine(units: readonly Pick<Unit, 'words' | 'assignments'>[]): Protection | null {
  const started = units.find(({ words }) => words[0] !== undefined && isAgent(words[0]))
  if (started === undefined) return null
  for (const { words, assignments } of units) {
    const set =
      assignments.find(({ name }) => isTelling(name))?.name ??
      (SETTERS.test(words[0]?.value ?? '') ? words.slice(1).find(word => isTelling(nameIn(word) || leadingText(word)))?.source : undefined)
    if (set !== undefined) return ask(agentOf(started.words[0]?.value ?? null) ?? '', set)
  }
  return null
}

const RUNS_SCRIPTS = /^(?:node(?:js)?|bun|deno|tsx)$/

const BRINGS_PACKAGES = /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun)$/

/** `npx @anthropic-ai/claude-code@1.0.0`: an early version knows no hooks. */
function isOtherVersion(text: string): boolean {
  const [, name, version] = /^(?:@[\w-]+\/)?([^@/]+)@([^@/]+)$/.exec(text) ?? []
  return name !== undefined && agentOf(name) !== undefined && !/^(?:latest|stable)$/.test(version ?? '')
}

/** Also by its script: `node .../node_modules/@anthropic-ai/claude-code/cli.js`. */
function startedAgent(program: string, words: readonly Word[]): string | undefined {
  const named = agentOf(program)
  if (named !== undefined || !RUNS_SCRIPTS.test(program)) return named
  const script = words.find(({ value }, at) => at > 0 && value?.startsWith('-') !== true)
  return agentOfPackage(script?.value ?? '')
}

const SETTERS = /^(?:export|declare|typeset|local|readonly|unset|read|mapfile|readarray|printf|getopts|setenv|unsetenv)$/
const EXPORTERS = /^(?:export|declare|typeset|setenv|launchctl|systemctl)$/

const PROMPTS = /^(?:-p|-i|--print|--prompt|--prompt-interactive|run|exec)$/
/** Options with a value may stand before it. */
const VERB_WITHIN = 4

/** Options of agents that name the folder to work in. */
const FOLDERS = /^(?:-C=?|--(?:cd|cwd|dir|directory|workspace|workdir|working-dir(?:ectory)?|project(?:-dir)?)(?:=|$))/

/** `cd /elsewhere && claude -p x`, `codex -C /elsewhere`: a project of its own has rules of its own, or none. */
export function protectAgentPlace(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const agent = startedAgent(program, words)
  if (agent === undefined || words.some(({ value }) => LOOKS.test(value ?? ''))) return null
  const { bases, resolve } = context
  const named = optionValues(words, FOLDERS)
  const unknown = named.find(word => word.value === null || word.glob)
  if (unknown !== undefined) return place(agent, unknown.source)
  if (bases === null) return place(agent, 'a folder that is known only when it runs')
  const places =
    named.length === 0
      ? bases.map(base => resolve('.', base))
      : named.flatMap(({ value }) => (value?.startsWith('/') ? ['/'] : bases).map(base => resolve(value ?? '', base)))
  const outside = places.map(({ lexical, real }) => real ?? lexical).find(folder => !isOfProject(folder, context))
  return outside === undefined ? null : place(agent, outside)
}

const LOOKS = /^(?:-[vVh]|--version|--help|help|version|doctor|update|upgrade)$/

/** In the project, or in a working tree that its repository made elsewhere. */
function isOfProject(folder: string, { protectedPaths: { roots, files } }: OperandContext): boolean {
  if (roots.some(root => below(folder, root) !== null)) return true
  const repository = /^gitdir: (.+)\/\.git\/worktrees\//.exec(files.text(`${folder}/.git`) ?? '')?.[1]
  return repository !== undefined && roots.includes(repository)
}

function place(agent: string, where: string): Protection {
  return {
    decision: 'ask',
    reason: `${agent} would be started in ${where}, where this project's policy does not hold; a person must agree`,
  }
}

function isSwitch(agent: string, text: string): boolean {
  return OPTIONS[agent]?.test(text) === true || BRINGS.test(text)
}

/** `env -i claude`, `env HOME=/tmp/x codex exec`. */
function protectEnv(words: readonly Word[]): Protection | null {
  const at = words.findIndex((word, index) => index > 0 && isAgent(word))
  if (at < 0) return null
  const changed = words.slice(1, at).find(word => /^-(?:i|u|$|-ignore|-unset)/.test(leadingText(word)) || isTelling(nameIn(word)))
  return changed === undefined ? null : ask(agentOf(words[at]?.value ?? null) ?? '', changed.source)
}

function isAgent({ value }: Word): boolean {
  return agentOf(value) !== undefined
}

function isTelling(name: string): boolean {
  return HOMES.test(name) || SHELLS.test(name)
}

function nameIn(word: Word): string {
  const text = leadingText(word)
  return text.slice(0, Math.max(0, text.indexOf('=')))
}

function ask(agent: string, what: string): Protection {
  return { decision: 'ask', reason: `${what} may start ${agent} without Belay's hooks; a person must agree` }
}
