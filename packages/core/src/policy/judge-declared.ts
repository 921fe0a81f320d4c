// A tool that somebody declared to be a known one: it is judged as that tool too. Rules for its own name hold as before, and what its fields
// look like can still deny or ask. A declaration that nobody has trusted can only make the decision stricter.
import { isRemark } from '../match/tool/field-name.ts'
import { startsAgent, toolFamily } from '../match/tool/tool-family.ts'
import { toolFields } from '../match/tool/tool-fields.ts'
import { declaredTool } from '../match/tool/tool-kind.ts'
import { BoundedMap } from '../value/bounded-map.ts'
import type { CompiledPermissions } from './compile-rules.ts'
import type { PartJudgement, ToolCall } from './judgement.ts'
import type { DeclaredTool } from './rule.ts'

/** How the tool of a call is to be judged beside its own name. A tool that is known needs nobody to say what it is. */
export function declaredAs({ tool, kind }: ToolCall, { declared }: CompiledPermissions): readonly DeclaredTool[] {
  if (toolFamily(tool) !== null) return NONE
  const said = kind === undefined ? null : declaredTool(kind)
  const guessed = launcherOf(tool)
  const known = guessed === null ? (declared.get(tool) ?? NONE) : [guessed, ...(declared.get(tool) ?? NONE)]
  return said === null ? known : [{ name: tool, as: said, isTrusted: true }, ...known]
}

/** Claude Code's tool for scripts that launch agents: rules against agents hold for it, rules that allow them do not. So with all like it. */
const LAUNCHER: DeclaredTool = { name: 'Workflow', as: 'Task', isTrusted: false }

/** The names of tools come from a few lists, over and over. */
const launchers = new BoundedMap<string, DeclaredTool | null>(1000)

/** A tool that starts agents by what it is called; null: it does not. */
function launcherOf(tool: string): DeclaredTool | null {
  if (tool === LAUNCHER.name) return LAUNCHER
  const known = launchers.get(tool)
  if (known !== undefined) return known
  const found = startsAgent(tool) ? { name: tool, as: LAUNCHER.as, isTrusted: false } : null
  launchers.set(tool, found)
  return found
}

const NONE: readonly DeclaredTool[] = []

/** The calls of the known tool that this call amounts to: as it is where its fields are known, else one for each text of its input. */
export function declaredCalls({ tool, input }: ToolCall, { as, isTrusted }: DeclaredTool): readonly ToolCall[] {
  if (as === LAUNCHER.as && !isTrusted && launcherOf(tool) !== null)
    return [{ tool: as, input: {} }, ...launchedTypes(input), ...namedTypes(input)]
  const { fields } = toolFields(as, input)
  const main = MAIN_FIELD[toolFamily(as) ?? '']
  const isNamed = fields.some(({ name }) => Object.hasOwn(input, name))
  const texts =
    isNamed || main === undefined ? [] : Object.entries(input).filter(([name, value]) => typeof value === 'string' && !isRemark(name))
  return texts.length === 0 ? [{ tool: as, input }] : texts.map(([, text]) => ({ tool: as, input: { [main ?? '']: text } }))
}

/** Types of agents that a script names. */
function launchedTypes(input: ToolCall['input']): readonly ToolCall[] {
  const types = JSON.stringify(input).matchAll(/\b(?:agent|subagent)_?type\W{1,8}?['"`]([\w.:-]+)/gi)
  return [...new Set([...types].map(([, type = '']) => type))].map(type => ({ tool: LAUNCHER.as, input: { subagent_type: type } }))
}

/** In which field the type of the agent stands is not known: each that is one word may be it. */
function namedTypes(input: ToolCall['input']): readonly ToolCall[] {
  const names = Object.values(input).filter(value => typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value))
  return names.map(name => ({ tool: LAUNCHER.as, input: { subagent_type: name } }))
}

const MAIN_FIELD: Readonly<Record<string, string>> = {
  shell: 'command',
  read: 'file_path',
  write: 'file_path',
  fetch: 'url',
  'web-search': 'query',
}

/** `own`: what its own name and the looks of its fields say; `known`: what rules for the known tool say. */
export function joinDeclared(own: readonly PartJudgement[], known: readonly PartJudgement[], isTrusted: boolean): readonly PartJudgement[] {
  const strict = known.filter(({ decision }) => decision === 'deny' || decision === 'ask')
  const [first] = own
  if (!isTrusted || first === undefined || first.decision === 'allow') return [...own, ...strict]
  // No rule names it: the rules for what it was declared to be decide.
  return first.decision === 'default' || first.decision === 'neutral' ? [...known, ...own.slice(1)] : [...own, ...strict]
}
