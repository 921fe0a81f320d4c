// What agents have in common. An agent's file states only how it differs from its family.
import type { AgentAbilities, AgentFacts, Names } from './agent.ts'

export const CONTEXT_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SubagentStart']

const CLAUDE_ABILITIES: AgentAbilities = {
  ask: true,
  allow: true,
  rewriteInput: true,
  rewritePrompt: false,
  replaceOutput: false,
  blockPrompt: true,
  blockAfter: true,
  continueAtStop: true,
  injectOn: CONTEXT_EVENTS,
}

const GATE_ABILITIES: AgentAbilities = {
  ask: false,
  allow: false,
  rewriteInput: false,
  rewritePrompt: false,
  replaceOutput: false,
  blockPrompt: true,
  blockAfter: true,
  continueAtStop: false,
  injectOn: [],
}

/** Events that agents of Claude's kind have under Claude's names. */
export const CLAUDE_EVENTS = sameNames(
  'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification PermissionRequest TeammateIdle TaskCompleted ConfigChange',
)

const COMMON = {
  readPayload: null,
  answer: 'claude',
  can: CLAUDE_ABILITIES,
  events: CLAUDE_EVENTS,
  tools: {},
  toolArguments: {},
  exitCode: null,
  mcpTool: null,
  ownMcpTool: null,
  readPaths: null,
  program: null,
  setupVerbs: ['mcp', 'plugin', 'plugins', 'extensions', 'hooks', 'config'],
  ownPaths: [],
  hookPaths: [],
  strictBefore: null,
  timeUnit: 's',
  timeoutMs: 600_000,
  sessionEndMs: 10_000,
  obeysExitCode: false,
  startsUserShell: false,
  stopCap: null,
  hasSession: true,
  joinsMcpNames: false,
  hasCallId: true,
  onFailure: 'open',
  compactsForReal: true,
  contextLimit: 10_000,
  hasOurToolNames: false,
  answersItself: () => false,
  endsAtDeny: false,
  saysDenied: false,
  runsNoHooks: null,
  trustGate: null,
  ownLines: 'backquotes',
  unheardText: [],
  ownInstructions: { names: [], where: 'root' },
  borrows: [],
  hookVariable: null,
  isOwnPayload: null,
  toolNames: null,
  projectVariables: ['CLAUDE_PROJECT_DIR'],
  proof: 'documented',
} as const satisfies Omit<AgentFacts, 'name'>

type Differences = Readonly<Partial<Omit<AgentFacts, 'name' | 'can'>>> & {
  readonly name: string
  readonly can?: Readonly<Partial<AgentAbilities>>
}

/** Takes Claude's hooks, more or less. */
export function claudeLike({ can, ...facts }: Differences): AgentFacts {
  return { ...COMMON, ...facts, can: { ...CLAUDE_ABILITIES, ...can } }
}

/** Obeys a refusal and little else. */
export function gateOnly({ can, ...facts }: Differences): AgentFacts {
  return { ...COMMON, projectVariables: [], ...facts, can: { ...GATE_ABILITIES, ...can } }
}

/** Its hooks are code that we generate: the plugin does what the answer says. */
export function pluginHost({ can, ...facts }: Differences): AgentFacts {
  return {
    ...COMMON,
    answer: 'plugin',
    timeUnit: null,
    onFailure: 'closed',
    projectVariables: [],
    proof: 'run',
    ...facts,
    can: {
      ...CLAUDE_ABILITIES,
      ask: false,
      allow: false,
      rewritePrompt: true,
      replaceOutput: true,
      continueAtStop: false,
      injectOn: ['UserPromptSubmit', 'PostToolUse'],
      ...can,
    },
  }
}

/** Has opencode's plugins, events and tools. */
export function opencodeLike({ tools, ...facts }: Differences): AgentFacts {
  return pluginHost({
    events: {
      'tool.execute.before': 'PreToolUse',
      'tool.execute.after': 'PostToolUse',
      'chat.message': 'UserPromptSubmit',
      'session.created': 'SessionStart',
      'session.deleted': 'SessionEnd',
      'session.idle': 'Stop',
      'permission.asked': 'PermissionRequest',
      'session.compacting': 'PreCompact',
    },
    tools: { ...LOWER_TOOLS, shell: 'Bash', ...tools },
    toolArguments: { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' },
    ownMcpTool: (server, tool) => `${server}_${tool}`,
    can: { allow: true },
    joinsMcpNames: true,
    ownInstructions: { names: ['AGENTS.md'], where: 'root' },
    ...facts,
  })
}

/** Events that have Claude's names, in a list with blanks. */
export function sameNames(names: string): Names {
  return Object.fromEntries(names.split(' ').map(name => [name, name]))
}

/** Tool names of agents that write them small. */
export const LOWER_TOOLS: Names = {
  bash: 'Bash',
  read: 'Read',
  view: 'Read',
  write: 'Write',
  create: 'Write',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  list: 'LS',
  webfetch: 'WebFetch',
  web_fetch: 'WebFetch',
  websearch: 'WebSearch',
  task: 'Task',
}

/** The files of a folder in which agents keep hooks; skills and notes beside them are read and written all day. */
export function hookFilesIn(folder: string): readonly string[] {
  return ['settings', 'hooks', 'config', 'managed'].map(name => `${folder}/${name}`)
}
