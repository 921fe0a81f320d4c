// Agents by the names that they, and their packages, are started under: as the first word of a command, and as what a running process says of
// itself. Git and editors are no agents of their own.
import { listAgents } from '../../agent/agents.ts'

const NAMES: ReadonlyMap<string, string> = new Map([
  ...listAgents().flatMap(({ program }) =>
    program === null || program === 'git' || program === 'code' ? [] : [[program, program] as const],
  ),
  ['claude-code', 'claude'],
  ['gemini-cli', 'gemini'],
  ['qwen-code', 'qwen'],
  ['opencode-ai', 'opencode'],
  ['kilocode', 'kilo'],
])

const SCRIPT = /\.[cm]?js$/

/** The agent that a program of this name or path is; undefined: none. */
export function agentOf(program: string | null): string | undefined {
  if (program === null) return undefined
  const name = program.includes('/') ? program.slice(program.lastIndexOf('/') + 1) : program
  return NAMES.get(name.endsWith('js') ? name.replace(SCRIPT, '') : name)
}

export const AGENT_PROGRAMS: readonly string[] = [...NAMES.keys()]

/** Its own name, or that of the script that an interpreter runs. */
export function isAgentLine(commandLine: string): boolean {
  return commandLine
    .split('\0')
    .slice(0, 3)
    .some(word => agentOf(word) !== undefined || AGENT_PACKAGE.test(word))
}

/** `node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js` */
const AGENT_PACKAGE = new RegExp(`(?:^|/)node_modules/(?:@[\\w-]+/)?(${AGENT_PROGRAMS.join('|')})/`)

/** The agent that a script in its package belongs to. */
export function agentOfPackage(path: string): string | undefined {
  return agentOf(AGENT_PACKAGE.exec(path)?.[1] ?? null)
}

/** Their packages on npm, with the script that runs. */
const SCRIPTS =
  '@anthropic-ai/claude-code/cli.js @google/gemini-cli/bundle/gemini.js @qwen-code/qwen-code/cli.js @openai/codex/bin/codex.js opencode-ai/bin/opencode @kilocode/cli/bin/kilo @github/copilot/npm-loader.js cline/bin/cline pi-coding-agent/dist/cli.js @xai-official/grok/bin/grok'.split(
    ' ',
  )

/** Command lines as `pkill -f` and `ps` see them. */
export const AGENT_LINES: readonly string[] = [
  ...SCRIPTS.map(script => `node /usr/lib/node_modules/${script} -p x`),
  ...SCRIPTS.map(script => `node --max-old-space-size=8192 /usr/lib/node_modules/${script}`),
  ...AGENT_PROGRAMS.map(name => `node /usr/local/bin/${name} -p x`),
]
