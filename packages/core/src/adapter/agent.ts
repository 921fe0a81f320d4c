// The quirk table: everything that differs from agent to agent and is data. Measured facts; `proof` says how we know.
import type { AgentId } from './agent-id.ts'
import { NATIVE_EVENTS } from './event-name.ts'

/** Whose JSON (or exit code) the agent obeys. */
export type AnswerDialect = 'claude' | 'codex' | 'gemini' | 'copilot' | 'cursor' | 'cline' | 'exit-code' | 'plugin'

/** Whose payload the agent sends. */
export type PayloadDialect = 'claude' | 'copilot' | 'cursor' | 'windsurf' | 'goose' | 'cline'

export interface AgentAbilities {
  /** Can put a question to its own user before a tool runs. */
  readonly ask: boolean
  /** A hook's allow skips the agent's own question. */
  readonly allow: boolean
  readonly rewriteInput: boolean
  readonly rewritePrompt: boolean
  readonly replaceOutput: boolean
  readonly blockPrompt: boolean
  /** A Stop hook can make it go on. */
  readonly continueAtStop: boolean
  /** Canonical events whose answer may carry text for the model. */
  readonly injectOn: readonly string[]
}

export interface Agent {
  readonly id: AgentId
  readonly name: string
  readonly payload: PayloadDialect
  readonly answer: AnswerDialect
  readonly can: AgentAbilities
  /** Unit of the timeout field in the agent's own configuration; null where it has none. */
  readonly timeUnit: 's' | 'ms' | null
  /** What the agent waits for one hook when its configuration says nothing. */
  readonly timeoutMs: number
  /** How many Stop blocks in a row the agent obeys. */
  readonly stopCap: number | null
  /** The payload names the session. */
  readonly hasSession: boolean
  /** Tools of MCP servers have the server's name joined to theirs in a way that cannot be taken apart again (`github_create_issue`). */
  readonly joinsMcpNames: boolean
  /** The payload names each call, so that before and after can be paired. */
  readonly hasCallId: boolean
  /** What the agent does when a hook crashes or times out. */
  readonly onFailure: 'open' | 'closed'
  /** PreCompact is only sent when the context is really compacted. */
  readonly compactsForReal: boolean
  /** Largest text it takes as injected context, in characters. */
  readonly contextLimit: number
  /** What a person must do before the agent runs our hook at all. */
  readonly trustGate: string | null
  /** Variables of the hook process that name the project. */
  readonly projectVariables: readonly string[]
  /** run: measured with the real client; documented: from its source or documentation only. */
  readonly proof: 'run' | 'documented'
}

const CONTEXT_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SubagentStart']

const claudeLike: AgentAbilities = {
  ask: true,
  allow: true,
  rewriteInput: true,
  rewritePrompt: false,
  replaceOutput: false,
  blockPrompt: true,
  continueAtStop: true,
  injectOn: CONTEXT_EVENTS,
}

const gateOnly: AgentAbilities = {
  ask: false,
  allow: false,
  rewriteInput: false,
  rewritePrompt: false,
  replaceOutput: false,
  blockPrompt: true,
  continueAtStop: false,
  injectOn: [],
}

const common = {
  payload: 'claude',
  answer: 'claude',
  timeUnit: 's',
  timeoutMs: 600_000,
  stopCap: null,
  hasSession: true,
  joinsMcpNames: false,
  hasCallId: true,
  onFailure: 'open',
  compactsForReal: true,
  contextLimit: 10_000,
  trustGate: null,
  projectVariables: ['CLAUDE_PROJECT_DIR'],
  proof: 'documented',
} as const

const AGENTS: readonly Agent[] = [
  {
    ...common,
    id: 'claude-code',
    name: 'Claude Code',
    can: {
      ...claudeLike,
      replaceOutput: true,
      injectOn: [...CONTEXT_EVENTS, 'Setup', 'PostToolBatch', 'Stop', 'SubagentStop', 'UserPromptExpansion'],
    },
    stopCap: 8,
    trustGate: 'Interactive sessions hold hooks of a folder until you trust it; user-level hooks always run.',
    proof: 'run',
  },
  {
    ...common,
    id: 'codex',
    name: 'Codex',
    answer: 'codex',
    can: { ...claudeLike, ask: false, allow: false, replaceOutput: true },
    projectVariables: [],
    trustGate: 'Codex runs a new hook only after you have reviewed it with /hooks (or it is listed in managed requirements).',
    proof: 'run',
  },
  {
    ...common,
    id: 'gemini',
    name: 'Gemini CLI',
    answer: 'gemini',
    can: { ...claudeLike, allow: false, replaceOutput: true, injectOn: ['SessionStart', 'UserPromptSubmit', 'PostToolUse'] },
    timeUnit: 'ms',
    timeoutMs: 60_000,
    joinsMcpNames: true,
    hasCallId: false,
    compactsForReal: false,
    projectVariables: ['GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    trustGate: 'Project hooks run only in a trusted folder; user-level hooks always run.',
    proof: 'run',
  },
  {
    ...common,
    id: 'copilot',
    name: 'Copilot CLI',
    payload: 'copilot',
    answer: 'copilot',
    can: { ...claudeLike, replaceOutput: true, injectOn: ['SessionStart', 'UserPromptSubmit', 'PostToolUse'] },
    timeoutMs: 30_000,
    stopCap: 8,
    joinsMcpNames: true,
    hasCallId: false,
    trustGate: 'Repository hooks need a trusted folder; hooks in your home always run.',
    proof: 'run',
  },
  {
    ...common,
    id: 'qwen',
    name: 'Qwen Code',
    can: { ...claudeLike, rewriteInput: false, injectOn: ['UserPromptSubmit', 'PostToolUse'] },
    timeUnit: 'ms',
    timeoutMs: 60_000,
    joinsMcpNames: true,
    projectVariables: ['QWEN_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    proof: 'run',
  },
  { ...plugin('opencode', 'opencode'), joinsMcpNames: true },
  plugin('pi', 'pi'),
  {
    ...common,
    id: 'droid',
    name: 'Factory Droid',
    can: claudeLike,
    timeoutMs: 60_000,
    projectVariables: ['FACTORY_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
  },
  { ...common, id: 'continue', name: 'Continue', can: claudeLike },
  {
    ...common,
    id: 'cursor',
    name: 'Cursor',
    payload: 'cursor',
    answer: 'cursor',
    can: { ...claudeLike, rewriteInput: false, injectOn: ['SessionStart', 'PostToolUse'] },
    timeoutMs: 60_000,
    stopCap: 5,
    hasCallId: false,
    projectVariables: [],
  },
  {
    ...common,
    id: 'cline',
    name: 'Cline',
    payload: 'cline',
    answer: 'cline',
    can: { ...gateOnly, rewriteInput: true, injectOn: ['PreToolUse', 'UserPromptSubmit', 'SessionStart'] },
    timeUnit: null,
    timeoutMs: 30_000,
    contextLimit: 50_000,
    projectVariables: [],
  },
  {
    ...common,
    id: 'goose',
    name: 'Goose',
    payload: 'goose',
    answer: 'exit-code',
    can: { ...gateOnly, blockPrompt: false, continueAtStop: true },
    timeoutMs: 30_000,
    projectVariables: [],
  },
  {
    ...common,
    id: 'kiro',
    name: 'Kiro',
    answer: 'exit-code',
    can: gateOnly,
    timeoutMs: 30_000,
    hasSession: false,
    hasCallId: false,
    projectVariables: [],
  },
  {
    ...common,
    id: 'windsurf',
    name: 'Windsurf',
    payload: 'windsurf',
    answer: 'exit-code',
    can: gateOnly,
    timeUnit: null,
    timeoutMs: 30_000,
    hasCallId: false,
    projectVariables: [],
  },
  {
    ...common,
    id: 'git',
    name: 'Git',
    answer: 'exit-code',
    can: { ...gateOnly, blockPrompt: false },
    timeUnit: null,
    onFailure: 'closed',
    hasCallId: false,
    projectVariables: [],
    proof: 'run',
  },
  {
    ...common,
    id: 'mcp',
    name: 'MCP proxy',
    answer: 'plugin',
    can: {
      ...gateOnly,
      rewriteInput: true,
      replaceOutput: true,
      blockPrompt: false,
      injectOn: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'],
    },
    timeUnit: null,
    onFailure: 'closed',
    projectVariables: [],
    proof: 'run',
  },
]

const BY_ID: ReadonlyMap<string, Agent> = new Map(AGENTS.map(agent => [agent.id, agent]))

export function findAgent(id: string): Agent | null {
  return BY_ID.get(id) ?? null
}

export function listAgents(): readonly Agent[] {
  return AGENTS
}

/** The native event names the agent sends and we want to see. */
export function agentEvents(agent: Agent): readonly string[] {
  return Object.keys(NATIVE_EVENTS[agent.id])
}

/** Agents whose hooks are code we generate: the plugin does what the answer says. */
function plugin(id: 'opencode' | 'pi', name: string): Agent {
  return {
    ...common,
    id,
    name,
    answer: 'plugin',
    can: {
      ...claudeLike,
      ask: false,
      allow: false,
      rewritePrompt: true,
      replaceOutput: true,
      continueAtStop: false,
      injectOn: ['UserPromptSubmit', 'PostToolUse'],
    },
    timeUnit: null,
    onFailure: 'closed',
    projectVariables: [],
    proof: 'run',
  }
}
