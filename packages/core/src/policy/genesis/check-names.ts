// Names that no agent has: a slip in a tool or an actor makes a rule that never holds. A warning, because a program may have tools of its own.
import { findEvent } from '../../event/table.ts'
import type { Place } from '../../verdict/place.ts'
import type { ActorBlock, GenesisPolicy } from './genesis-policy.ts'
import { suggest } from './suggest.ts'
import type { YamlSource } from './yaml-source.ts'

export interface KnownNames {
  readonly tools: readonly string[]
  /** The names under which calls come, whatever an agent calls its tool. */
  readonly ours?: readonly string[]
  /** Agents and usual roles, without what stands before the colon. */
  readonly agents: readonly string[]
}

export function checkNames(source: YamlSource, policy: GenesisPolicy, known: KnownNames): void {
  const tools = new Set(known.tools)
  const seen = new Set<string>()
  const check = (tool: string, place: Place | undefined): void => {
    if (place === undefined || seen.has(tool) || !PLAIN.test(tool) || tool.startsWith('mentu_')) return
    seen.add(tool)
    const ours = known.ours?.find(name => name !== tool && name.toLowerCase() === tool.toLowerCase())
    if (ours !== undefined) addWarning(source, place, `calls never come as \`${tool}\`, so this never holds`, `did you mean ${ours}?`)
    if (ours !== undefined || tools.has(tool)) return
    addWarning(source, place, `no agent that is known has a tool \`${tool}\``, meantTool(tool, known.tools))
  }
  for (const block of policy.permissions?.actors ?? []) {
    checkActor(source, block, policy.version, known.agents)
    for (const rule of [...block.allow, ...block.ask, ...block.deny]) for (const tool of rule.tools) check(tool, rule.place)
  }
  for (const { event, matcher, place } of policy.hooks) {
    if (findEvent(event)?.matchField !== 'toolName' || matcher === undefined || !('text' in matcher)) continue
    for (const tool of matcher.text.replace(/\(.*\)/g, '').split('|')) check(tool.trim(), place)
  }
}

/** Neither a pattern nor the name of an MCP tool. */
const PLAIN = /^[A-Za-z](?:[A-Za-z0-9-]|_(?!_))*$/

function meantTool(tool: string, tools: readonly string[]): string {
  const meant = suggest(tool, tools)
  return meant === null ? 'tools of MCP servers are written mcp__SERVER__TOOL' : `did you mean ${meant}?`
}

const KINDS = ['agent', 'human']

/** 1.0 files may know others than agents and people; there only a slip is said. */
function checkActor(source: YamlSource, { actor, place }: ActorBlock, version: '1.0' | '2.0', agents: readonly string[]): void {
  if (actor.startsWith('*')) return
  const at = actor.indexOf(':')
  const kind = at < 0 ? '' : actor.slice(0, at)
  const name = actor.slice(at + 1)
  if (!KINDS.includes(kind)) {
    const meant = kind === '' ? 'agent' : suggest(kind, KINDS)
    if (version === '1.0' && (kind === '' || meant === null)) return
    addWarning(
      source,
      place,
      `no actor is called \`${actor}\`: actors begin with agent: or human:`,
      `did you mean ${meant ?? 'agent'}:${name}?`,
    )
    return
  }
  const meant = kind !== 'agent' || name.includes('*') || agents.includes(name) ? null : suggest(name, agents)
  if (meant !== null) addWarning(source, place, `no agent and no usual role is called \`${name}\``, `did you mean agent:${meant}?`)
}

function addWarning(source: YamlSource, place: Place, message: string, remedy: string): void {
  source.problems.push({ severity: 'warning', message, place, remedy })
}
