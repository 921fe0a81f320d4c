// What a skill, a slash command or a sub-agent's description has the agent run by itself, with no tool call of its own. Each is judged before, as
// the call that it is. A repository brings such files.
import type { HookEvent } from '@belay/core'
import { findAgent } from '@belay/core/adapter'
import { toolFamily } from '@belay/core/match'
import { callOfEvent, type ToolCall } from '@belay/core/policy'
import { skillOfCall } from '../config/active-skills.ts'
import { frontmatterField } from '../config/frontmatter-name.ts'
import { linesOf, startedBy } from './own-lines.ts'
import { findText, type TextPlace } from './own-text.ts'
import type { ProjectGuard } from './project-guard.ts'
import { readText } from './read-text.ts'

export interface SkillLineGuard {
  readonly root: string
  readonly userHome: string
  readonly judge: ProjectGuard['judge']
}

export interface SkillLine {
  readonly decision: 'deny' | 'ask'
  readonly reason: string
}

/** The strictest of them; null: none is denied or asked about. */
export function judgeSkillLines(event: HookEvent, guard: SkillLineGuard): SkillLine | null {
  const place: TextPlace = { root: guard.root, userHome: guard.userHome, cwd: event.cwd, agent: findAgent(event.agent) }
  const used = skillsOf(event, place)
  if (used === null) return null
  let strictest: SkillLine | null = null
  for (const path of [...used.agents, ...findText(used.names, ['skills', 'commands'], place)]) {
    const said = judgeText(path, { ...used, place }, call => guard.judge(call, event))
    if (said?.decision === 'deny') return said
    strictest ??= said
  }
  return strictest
}

interface Loading {
  /** What follows the name. */
  readonly given: string
  readonly place: TextPlace
}

/** What one file has the agent do by itself; null: nothing that is denied or asked about. */
export function judgeText(
  path: string,
  { given, place: { agent, ...place } }: Loading,
  judge: (call: ToolCall) => ReturnType<ProjectGuard['judge']>,
): SkillLine | null {
  const own = { ...place, path, text: readText(path) }
  let strictest: SkillLine | null = null
  for (const call of [...linesOf(own, agent?.ownLines ?? 'backquotes', given), ...startedBy(own)]) {
    const { verdict, rule } = judge(call)
    if (verdict.decision !== 'deny' && verdict.decision !== 'ask') continue
    // Whoever wrote the text chose its files: only a rule about them counts.
    if (call.tool === 'Read' && rule === null) continue
    const said: SkillLine = {
      decision: verdict.decision,
      reason: `${path} has the agent ${doing(call)} by itself: ${verdict.reason ?? ''}`,
    }
    if (said.decision === 'deny') return said
    strictest ??= said
  }
  return strictest
}

function doing({ tool, input }: ToolCall): string {
  return tool === 'Bash' ? `run \`${input.command}\`` : `read ${input.file_path}`
}

interface UsedSkills {
  readonly names: readonly string[]
  /** Files that describe the sub-agent which is launched. */
  readonly agents: readonly string[]
  readonly given: string
}

/** null: the event loads none. */
function skillsOf(event: HookEvent, place: TextPlace): UsedSkills | null {
  if (event.name === 'PreToolUse') return skillsOfCall(event, place)
  if (event.name !== 'UserPromptExpansion') return null
  const { commandName: name, commandArgs: given } = event.fields
  return typeof name === 'string' ? { names: lastNames(name), agents: [], given: typeof given === 'string' ? given : '' } : null
}

function skillsOfCall(event: HookEvent, place: TextPlace): UsedSkills | null {
  const { toolName } = event.fields
  const family = typeof toolName === 'string' ? toolFamily(toolName) : null
  const input = family === 'skill' || family === 'task' ? (callOfEvent(event)?.input ?? null) : null
  if (input === null) return null
  if (family === 'task') {
    const types = TYPE_NAMES.map(name => input[name]).filter(type => typeof type === 'string')
    const agents = findText(types.flatMap(lastNames), ['agents'], place)
    return { names: agents.flatMap(path => frontmatterField(readText(path), 'skills')).flatMap(lastNames), agents, given: '' }
  }
  const name = skillOfCall(event)
  const { args, command } = input
  const given = typeof args === 'string' ? args : typeof command === 'string' ? command.replace(/^\S+\s*/, '') : ''
  return name === null ? null : { names: lastNames(name), agents: [], given }
}

const TYPE_NAMES = ['subagent_type', 'subagentType', 'agent_type', 'agent', 'agent_name']

/** A plugin's comes with the plugin's name before it, a command of an extension after a dot where two have one name. */
function lastNames(name: string): readonly string[] {
  const last = name.replace(/^\//, '').split(':').at(-1) ?? ''
  return [...new Set([last, last.split('.').at(-1) ?? ''])]
}
