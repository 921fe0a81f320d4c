// Rules -> an index that finds the few that can speak about a call. Thousands of rules cost little more than ten.
// Invariant: the index only leaves out rules that cannot match; the answer equals a comparison with every rule.
import { compileGlob, type Glob, globMatches } from '../match/glob.ts'
import { mentuVerb } from '../match/tool/mentu-verb.ts'
import { toolFamily } from '../match/tool/tool-family.ts'
import { parseDomainPattern } from '../match/web/domain-pattern.ts'
import { addCommandRule, type CommandIndex, createCommandIndex } from './command-index.ts'
import { createCommandRules } from './command-rule.ts'
import { addDomainRule, type DomainIndex } from './domain-index.ts'
import { addPathRule, createPathIndex, createPathRule, type PathIndex } from './path-index.ts'
import { type ProgramReading, systemDirs } from './program-name.ts'
import type { DeclaredTool, DefaultDecision, Permissions, Rule, RuleEffect } from './rule.ts'
import { WordTrie } from './word-trie.ts'

export interface CompiledPermissions {
  readonly allow: EffectIndex
  readonly ask: EffectIndex
  readonly deny: EffectIndex
  readonly default: DefaultDecision
  readonly hash: string
  readonly untrusted: readonly string[]
  readonly overruled: readonly string[]
  readonly declared: ReadonlyMap<string, readonly DeclaredTool[]>
}

export interface EffectIndex {
  readonly effect: RuleEffect
  readonly families: boolean
  readonly byTool: ReadonlyMap<string, ToolRules>
  /** Rules whose tool name holds a wildcard, by what it begins with. */
  readonly globs: WordTrie<ToolGlob>
  readonly found: Map<string, readonly ToolRules[]>
}

export interface ToolRules {
  /** Rules without an argument: every call. */
  any: Rule | null
  /** `Bash(@read-only)`. */
  readOnly: Rule | null
  commands: CommandIndex | null
  paths: PathIndex | null
  domains: DomainIndex | null
  readonly texts: TextRule[]
}

export interface TextRule {
  readonly rule: Rule
  /** null: the tool's main text; else the input field of that name. */
  readonly parameter: string | null
  readonly glob: Glob
}

interface ToolGlob {
  readonly glob: Glob
  readonly rules: ToolRules
}

export interface CompileOptions {
  /** Default true: deny and ask hold for every tool that does the same under another name. */
  readonly families?: boolean
}

export function compileRules(permissions: Permissions, options: CompileOptions = {}): CompiledPermissions {
  const families = options.families !== false
  return {
    allow: compileEffect('allow', permissions.allow, false),
    ask: compileEffect('ask', permissions.ask, families),
    deny: compileEffect('deny', permissions.deny, families),
    default: permissions.default,
    untrusted: permissions.untrusted ?? [],
    overruled: permissions.overruled ?? [],
    declared: byName(permissions.declared ?? []),
    hash: permissions.hash,
  }
}

function byName(declared: readonly DeclaredTool[]): ReadonlyMap<string, readonly DeclaredTool[]> {
  const found = new Map<string, readonly DeclaredTool[]>()
  for (const tool of declared) found.set(tool.name, [...(found.get(tool.name) ?? []), tool])
  return found
}

const MAX_FOUND = 4096

/** All rules that speak about calls of this tool. */
export function rulesFor(index: EffectIndex, tool: string): readonly ToolRules[] {
  const known = index.found.get(tool)
  if (known !== undefined) return known
  const verb = mentuVerb(tool)
  const rules = verb === null ? rulesNaming(index, tool) : [...rulesNaming(index, tool), ...rulesNaming(index, verb)]
  if (index.found.size >= MAX_FOUND) index.found.clear()
  index.found.set(tool, rules)
  return rules
}

function rulesNaming(index: EffectIndex, tool: string): ToolRules[] {
  const rules: ToolRules[] = []
  const exact = index.byTool.get(bucketOf(tool, index.families))
  if (exact !== undefined) rules.push(exact)
  index.globs.visit([tool], candidate => {
    if (globMatches(candidate.glob, tool)) rules.push(candidate.rules)
    return false
  })
  return rules
}

/** Whether code that is not known may be what a deny or ask rule is about: a command, or a file that it reads or writes. */
export function hasRulesForCode(compiled: CompiledPermissions, tool: string): boolean {
  if (hasCommandRules(compiled, tool)) return true
  return [compiled.deny, compiled.ask].some(index =>
    ['Write', 'Edit', 'Read'].some(name => rulesFor(index, name).some(({ paths }) => paths !== null)),
  )
}

/** Whether a command that is not known may be what a deny or ask rule is about. */
export function hasCommandRules(compiled: CompiledPermissions, tool: string): boolean {
  return [compiled.deny, compiled.ask].some(index => rulesFor(index, tool).some(({ any, commands }) => any !== null || commands !== null))
}

function compileEffect(effect: RuleEffect, rules: readonly Rule[], families: boolean): EffectIndex {
  const byTool = new Map<string, ToolRules>()
  const byGlob = new Map<string, ToolRules>()
  const globs = new WordTrie<ToolGlob>()
  for (const [order, rule] of rules.entries()) {
    for (const tool of toolPatterns(rule.tools)) {
      if (!/[*?]/.test(tool)) addRule(bucket(byTool, bucketOf(tool, families)), rule, order)
      else {
        const isNew = !byGlob.has(tool)
        const shared = bucket(byGlob, tool)
        addRule(shared, rule, order)
        if (isNew) globs.add({ words: [], partial: /^[^*?]*/.exec(tool)?.[0] ?? '' }, toolGlob(tool, shared, rule))
      }
    }
  }
  return { effect, families, byTool, globs, found: new Map() }
}

function toolGlob(tool: string, rules: ToolRules, rule: Rule): ToolGlob {
  return { glob: compileGlob(tool, { question: rule.dialect === 'genesis' }), rules }
}

const BARE_SERVER = /^mcp__(?:(?!__)[^*?])+$/

/** `mcp__server` alone is every tool of that server. */
function toolPatterns(tools: readonly string[]): readonly string[] {
  const servers = tools.filter(tool => BARE_SERVER.test(tool)).map(server => `${server}__*`)
  return servers.length === 0 && tools.length === 1 ? tools : [...new Set([...tools, ...servers])]
}

function bucketOf(tool: string, families: boolean): string {
  if (!families) return tool
  const family = toolFamily(tool)
  return family === null ? tool : `family ${family}`
}

function bucket(buckets: Map<string, ToolRules>, key: string): ToolRules {
  const known = buckets.get(key)
  if (known !== undefined) return known
  const made: ToolRules = { any: null, readOnly: null, commands: null, paths: null, domains: null, texts: [] }
  buckets.set(key, made)
  return made
}

const ALLOW_READING: ProgramReading = { for: 'allow', trustedDirs: new Set(systemDirs) }
const DENY_READING: ProgramReading = { for: 'deny' }

function addRule(rules: ToolRules, rule: Rule, order: number): void {
  const { spec } = rule
  if (spec === null) {
    rules.any ??= rule
    return
  }
  switch (spec.kind) {
    case 'group':
      rules.readOnly ??= rule
      return
    case 'command': {
      const commands = rules.commands ?? createCommandIndex(rule.effect)
      rules.commands = commands
      const reading = rule.effect === 'allow' ? ALLOW_READING : DENY_READING
      for (const command of createCommandRules(rule, order, spec, reading)) addCommandRule(commands, command)
      return
    }
    case 'path':
      rules.paths ??= createPathIndex()
      addPathRule(rules.paths, createPathRule(rule, order, spec))
      return
    case 'domain': {
      const parsed = parseDomainPattern(spec.pattern)
      rules.domains ??= new Map()
      if (parsed.ok) addDomainRule(rules.domains, rule, order, parsed.pattern)
      return
    }
    case 'parameter':
      rules.texts.push({ rule, parameter: spec.name, glob: textGlob(rule, spec.pattern) })
      return
    case 'text':
      rules.texts.push({ rule, parameter: null, glob: textGlob(rule, spec.pattern) })
  }
}

function textGlob(rule: Rule, pattern: string): Glob {
  return compileGlob(pattern, { question: rule.dialect === 'genesis' })
}
