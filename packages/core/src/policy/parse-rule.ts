// Rule text -> rule. Every dialect ends in the same Rule; a text that does not parse is a located problem, never a dropped rule.
import { parsePathSpec } from '../match/path/path-pattern.ts'
import { type ToolFamily, toolFamily } from '../match/tool/tool-family.ts'
import { parseDomainPattern } from '../match/web/domain-pattern.ts'
import type { Diagnostic, Place } from '../verdict/place.ts'
import { suggestRemedy } from './genesis/suggest.ts'
import { COMMAND_GROUPS, type ParsedRule, type Rule, type RuleDialect, type RuleSource, type RuleSpec } from './rule.ts'
import { translateDialect } from './rule-dialect.ts'

export function parseRule(text: string, source: RuleSource): ParsedRule {
  const translated = translateDialect(text, source)
  if (!translated.ok) return problemAt(source, translated.offset, translated.message, translated.remedy)
  const { tools: toolText, argument, offset } = translated
  const tools = toolText.split('|').map(tool => tool.trim())
  const badTool = tools.find(tool => !TOOL_NAME.test(tool))
  if (badTool !== undefined) return badToolProblem(source, toolText, badTool, offset)
  if (argument === null) return ruleOf(text, source, tools, null)
  if (argument.trim() === '') {
    return problemAt(source, offset + toolText.length, `${toolText}() has an empty argument`, `write ${toolText} for every call`)
  }
  const parsed = specOf(tools, argument, source)
  if (!parsed.ok) {
    return problemAt(source, offset + toolText.length + 1, parsed.problem, parsed.remedy ?? `correct the argument of ${toolText}`)
  }
  return ruleOf(text, source, tools, parsed.spec)
}

const TOOL_NAME = /^[\p{L}\p{N}_.:/@*?-]+$/u
/** Parameters of the shell tool that a rule may name; any other `word:` is part of a command. */
const SHELL_PARAMETERS = /^(run_in_background|timeout|dangerouslyDisableSandbox):(.*)$/s
const PARAMETER = /^([A-Za-z_][A-Za-z0-9_]*):(?!\*$)(.+)$/s

type ParsedSpec =
  | { readonly ok: true; readonly spec: RuleSpec | null }
  | { readonly ok: false; readonly problem: string; readonly remedy?: string }

function specOf(tools: readonly string[], argument: string, source: RuleSource): ParsedSpec {
  const { dialect } = source
  const spec = argument.trim()
  if (spec === '*' || spec === ':*' || spec === '**') return { ok: true, spec: null }
  switch (familyOf(tools)) {
    case 'shell':
      return dialect === 'genesis' && spec.startsWith('@') ? groupSpec(spec, source) : { ok: true, spec: shellSpec(spec, dialect) }
    case 'write':
    case 'read':
      return pathSpec(spec, dialect)
    case 'fetch':
      return webSpec(spec)
    case 'skill':
      // Names of skills hold colons themselves (`plugin:skill`).
      return { ok: true, spec: { kind: 'text', pattern: spaceTail(spec, dialect) } }
    default:
      return { ok: true, spec: textSpec(spec, dialect) }
  }
}

function familyOf(tools: readonly string[]): ToolFamily | null {
  for (const tool of tools) {
    const family = toolFamily(tool)
    if (family !== null) return family
  }
  return null
}

/** `@name`: no program begins with `@`, so a group is never taken for a command. */
function groupSpec(spec: string, { effect }: RuleSource): ParsedSpec {
  const name = COMMAND_GROUPS.find(group => spec === `@${group}`)
  if (name === undefined) {
    const remedy = suggestRemedy(
      spec,
      COMMAND_GROUPS.map(group => `@${group}`),
    )
    return { ok: false, problem: `"${spec}" is not a group of commands`, remedy }
  }
  if (effect !== 'allow') {
    return {
      ok: false,
      problem: `${spec} stands in a list of ${effect} rules`,
      remedy: 'a group can only be allowed; name the commands instead',
    }
  }
  return { ok: true, spec: { kind: 'group', name } }
}

function textSpec(spec: string, dialect: RuleDialect): RuleSpec {
  const parameter = PARAMETER.exec(spec)
  if (parameter !== null) return { kind: 'parameter', name: parameter[1] ?? '', pattern: parameter[2] ?? '' }
  return { kind: 'text', pattern: spaceTail(spec, dialect) }
}

function shellSpec(spec: string, dialect: RuleDialect): RuleSpec {
  const parameter = SHELL_PARAMETERS.exec(spec)
  if (parameter !== null && parameter[2] !== '*') return { kind: 'parameter', name: parameter[1] ?? '', pattern: parameter[2] ?? '' }
  return { kind: 'command', pattern: spaceTail(spec, dialect) }
}

/** `:*` at the very end equals ` *`; anywhere else its star is a literal one in Claude's dialect. */
function spaceTail(spec: string, dialect: RuleDialect): string {
  const tail = spec.endsWith(':*')
  const body = tail ? spec.slice(0, -2) : spec
  const literal = dialect === 'claude' ? body.replaceAll(':*', ':\\*') : body
  return tail ? `${literal} *` : literal
}

function webSpec(spec: string): ParsedSpec {
  if (!spec.startsWith('domain:')) return { ok: true, spec: { kind: 'text', pattern: spec } }
  const pattern = spec.slice('domain:'.length).trim()
  const parsed = parseDomainPattern(pattern)
  return parsed.ok ? { ok: true, spec: { kind: 'domain', pattern } } : parsed
}

/** In Claude's files a single slash starts at the file that holds the rule, not at the root of the disk. */
function pathSpec(spec: string, dialect: RuleDialect): ParsedSpec {
  const parsed = parsePathSpec(spec, dialect === 'claude' ? 'root' : 'absolute')
  return parsed.ok ? { ok: true, spec: { kind: 'path', ...parsed.spec } } : parsed
}

function ruleOf(text: string, source: RuleSource, tools: readonly string[], spec: RuleSpec | null): ParsedRule {
  const rule: Rule = {
    id: source.id ?? idFrom(source),
    effect: source.effect,
    text,
    dialect: source.dialect,
    tools,
    spec,
    ...(source.place === undefined ? {} : { place: source.place }),
    ...(source.message === undefined ? {} : { message: source.message }),
  }
  return { ok: true, rule }
}

function idFrom(source: RuleSource): string {
  const { place, effect } = source
  return place === undefined ? effect : `${effect}-${place.line}-${place.column}`
}

function badToolProblem(source: RuleSource, toolText: string, tool: string, offset: number): ParsedRule {
  const at = offset + Math.max(0, toolText.indexOf(tool))
  if (tool === '') return problemAt(source, at, 'the rule names no tool', 'write Tool or Tool(argument), for example Bash(git status *)')
  const several = /\)\s+\S+\(/.test(tool)
  const remedy = several ? 'write one rule for each tool' : 'a tool name holds letters, digits and - _ . : / @ *'
  return problemAt(source, at, `"${tool}" is not a tool name`, remedy)
}

function problemAt(source: RuleSource, offset: number, message: string, remedy: string): ParsedRule {
  const start: Place = source.place ?? { file: '<rule>', line: 1, column: 1 }
  const problem: Diagnostic = { severity: 'error', message, place: { ...start, column: start.column + offset }, remedy }
  return { ok: false, problem }
}
