// Where each agent keeps its hooks and how it spells them. Facts of the agents, nothing else.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Agent, type AgentId, agentEvents, findAgent } from '@belay/core/adapter'
import { clineFiles } from './generated/cline.ts'
import { gitFiles, isGitRepository } from './generated/git.ts'
import { opencodePlugin } from './generated/opencode.ts'
import { piExtension } from './generated/pi.ts'
import { hookCommand, timingOf } from './hook-command.ts'
import type { AddOptions, HookEntry } from './hook-edit.ts'
import { ownCommand } from './own-program.ts'
import { type InstallPlace, OWN_MARK, type SettingName, type Target, type TargetFile } from './target.ts'

type Spell = (agent: Agent, event: string, command: string) => Readonly<Record<string, unknown>>

/** Claude's shape: a group without a matcher, which means every tool. */
const group: Spell = (agent, event, command) => ({ hooks: [{ type: 'command', command, timeout: timeout(agent, event) }] })
const geminiGroup: Spell = (agent, event, command) => ({
  hooks: [{ name: 'belay', type: 'command', command, timeout: timeout(agent, event) }],
})
const gooseGroup: Spell = (agent, event, command) => ({
  hooks: [{ type: 'command', command, timeout: timeout(agent, event), on_failure: 'block' }],
})
const copilotEntry: Spell = (agent, event, command) => ({ type: 'command', bash: command, timeoutSec: timeout(agent, event) })
const cursorEntry: Spell = (agent, event, command) => ({ command, timeout: timeout(agent, event), failClosed: true })
const windsurfEntry: Spell = (_agent, _event, command) => ({ command, show_output: true })

/** Claude Code: a WorktreeCreate hook replaces the making of worktrees, MessageDisplay runs for every piece of text; the rest only watches. */
const CLAUDE_EVENTS =
  'PreToolUse PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification PermissionRequest PermissionDenied TeammateIdle TaskCreated TaskCompleted ConfigChange PreModelSwitch'.split(
    ' ',
  )
/** Gemini: hooks around each model call would cost every turn and decide nothing here. */
const GEMINI_EVENTS = 'SessionStart BeforeAgent BeforeTool AfterTool AfterAgent Notification PreCompress SessionEnd'.split(' ')
const pascal = (names: readonly string[]) => names.filter(name => /^[A-Z]/.test(name))

const TARGETS: readonly Target[] = [
  shared('claude-code', {
    user: ({ env, userHome }) => join(env.CLAUDE_CONFIG_DIR || join(userHome, '.claude'), 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.claude', 'settings.json'),
    events: CLAUDE_EVENTS,
    spell: group,
    settings: { statusLine: 'statusline', fileSuggestion: 'files' },
  }),
  shared('codex', {
    user: ({ env, userHome }) => join(env.CODEX_HOME || join(userHome, '.codex'), 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.codex', 'hooks.json'),
    spell: group,
  }),
  shared('gemini', {
    user: ({ userHome }) => join(userHome, '.gemini', 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.gemini', 'settings.json'),
    events: GEMINI_EVENTS,
    spell: geminiGroup,
  }),
  shared('copilot', {
    user: ({ userHome }) => join(userHome, '.copilot', 'hooks', 'belay.json'),
    project: ({ projectRoot }) => join(projectRoot, '.github', 'hooks', 'belay.json'),
    sign: '.copilot',
    events: pascal(eventsOf('copilot')),
    spell: copilotEntry,
    beside: { version: 1 },
  }),
  shared('qwen', {
    user: ({ userHome }) => join(userHome, '.qwen', 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.qwen', 'settings.json'),
    spell: group,
  }),
  shared('droid', {
    user: ({ userHome }) => droidFile(join(userHome, '.factory')),
    project: ({ projectRoot }) => droidFile(join(projectRoot, '.factory')),
    spell: group,
  }),
  shared('continue', {
    user: ({ userHome }) => join(userHome, '.continue', 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.continue', 'settings.json'),
    spell: group,
  }),
  shared('cursor', {
    user: ({ userHome }) => join(userHome, '.cursor', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.cursor', 'hooks.json'),
    // The general events already carry every tool; the special ones would ask twice.
    events: eventsOf('cursor').filter(event => !/(Shell|MCP)Execution$|ReadFile$|FileEdit$/.test(event)),
    spell: cursorEntry,
    beside: { version: 1 },
  }),
  shared('windsurf', {
    user: ({ userHome }) => join(userHome, '.codeium', 'windsurf', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.windsurf', 'hooks.json'),
    spell: windsurfEntry,
  }),
  shared('goose', {
    user: ({ userHome }) => join(userHome, '.agents', 'plugins', 'belay', 'hooks', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.agents', 'plugins', 'belay', 'hooks', 'hooks.json'),
    sign: join('.config', 'goose'),
    spell: gooseGroup,
  }),
  owned('kiro', '.kiro', place => [{ kind: 'own', path: inScope(place, '.kiro', 'hooks', 'belay.json'), text: kiroHooks(place) }]),
  owned('cline', '.cline', clineFiles),
  owned('opencode', join('.config', 'opencode'), place => [
    { kind: 'own', path: join(opencodeFolder(place), 'plugins', 'belay.js'), text: opencodePlugin(place.shim) },
  ]),
  owned('pi', '.pi', place => [
    {
      kind: 'own',
      path:
        place.scope === 'user' ? inScope(place, '.pi', 'agent', 'extensions', 'belay.js') : inScope(place, '.pi', 'extensions', 'belay.js'),
      text: piExtension(place.shim),
    },
  ]),
  { agent: 'git', scopes: ['project'], isPresent: ({ projectRoot }) => isGitRepository(projectRoot), files: gitFiles },
]

export function findTarget(agent: string): Target | null {
  return TARGETS.find(target => target.agent === agent) ?? null
}

export function listTargets(): readonly Target[] {
  return TARGETS
}

const PROGRAMS: Readonly<Partial<Record<AgentId, string>>> = {
  'claude-code': 'claude',
  codex: 'codex',
  gemini: 'gemini',
  copilot: 'copilot',
  qwen: 'qwen',
  opencode: 'opencode',
  pi: 'pi',
  droid: 'droid',
  continue: 'cn',
  cursor: 'cursor-agent',
  cline: 'cline',
  goose: 'goose',
  kiro: 'kiro-cli',
  git: 'git',
}

/** The command that starts the agent; null: it has none. */
export function programOf(agent: AgentId): string | null {
  return PROGRAMS[agent] ?? null
}

interface SharedFile {
  user(place: Omit<InstallPlace, 'shim' | 'scope'>): string
  project(place: Omit<InstallPlace, 'shim' | 'scope'>): string
  /** Folder below the home whose presence says that the agent is used; default: the one of the file. */
  readonly sign?: string
  readonly events?: readonly string[]
  readonly spell: Spell
  readonly beside?: Readonly<Record<string, unknown>>
  /** The verb of ours that each setting runs. */
  readonly settings?: Readonly<Record<SettingName, Parameters<typeof ownCommand>[1]>>
}

function shared(id: AgentId, file: SharedFile): Target {
  return {
    agent: id,
    scopes: ['user', 'project'],
    isPresent: place => existsSync(file.sign === undefined ? join(file.user(place), '..') : join(place.userHome, file.sign)),
    files: place => [
      { kind: 'shared', path: place.scope === 'user' ? file.user(place) : file.project(place), hooks: hooksOf(id, file, place) },
    ],
  }
}

function hooksOf(id: AgentId, file: SharedFile, place: InstallPlace): AddOptions {
  const { events, spell, beside } = file
  const agent = agentOf(id)
  const entries: HookEntry[] = (events ?? agentEvents(agent)).map(event => ({
    event,
    value: spell(agent, event, hookCommand(place.shim, agent, event)),
  }))
  return { entries, ...(beside === undefined ? {} : { beside }), ...settingsOf(file, place) }
}

/** A person's own, never a project's: what a project sets would take the place of what each of its people has. */
function settingsOf(
  { settings }: SharedFile,
  { scope, shim, settings: wanted = ['statusLine'] }: InstallPlace,
): Pick<AddOptions, 'settings'> {
  if (settings === undefined || scope !== 'user') return {}
  const home = dirname(dirname(shim))
  return { settings: Object.fromEntries(wanted.map(name => [name, { type: 'command', command: ownCommand(home, settings[name]) }])) }
}

function owned(id: AgentId, sign: string, files: (place: InstallPlace) => readonly TargetFile[]): Target {
  return { agent: id, scopes: ['user', 'project'], isPresent: ({ userHome }) => existsSync(join(userHome, sign)), files }
}

/** Droid reads `hooks` of settings.json only where there is no hooks.json. */
function droidFile(folder: string): string {
  const own = join(folder, 'hooks.json')
  return existsSync(own) ? own : join(folder, 'settings.json')
}

function opencodeFolder({ scope, env, userHome, projectRoot }: InstallPlace): string {
  return scope === 'project' ? join(projectRoot, '.opencode') : join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'opencode')
}

function kiroHooks({ shim }: InstallPlace): string {
  const agent = agentOf('kiro')
  const hooks = pascal(eventsOf('kiro')).map(event => ({
    name: `belay ${event}`,
    trigger: event,
    action: { type: 'command', command: hookCommand(shim, agent, event) },
    timeout: timeout(agent, event),
    enabled: true,
  }))
  return `${JSON.stringify({ version: 'v1', description: OWN_MARK, hooks }, null, 2)}\n`
}

function inScope({ scope, userHome, projectRoot }: InstallPlace, ...parts: readonly string[]): string {
  return join(scope === 'user' ? userHome : projectRoot, ...parts)
}

function timeout(agent: Agent, event: string): number {
  const { timeoutMs } = timingOf(agent, event)
  return agent.timeUnit === 'ms' ? timeoutMs : timeoutMs / 1000
}

function eventsOf(id: AgentId): readonly string[] {
  return agentEvents(agentOf(id))
}

function agentOf(id: AgentId): Agent {
  const agent = findAgent(id)
  if (agent === null) throw new Error(`no agent ${id} in the quirk table`)
  return agent
}
