// The smallest readable set of allow rules that covers what was used. A rule has a `*` only where several different calls were seen; what was
// refused stays refused: a rule that would allow it is split into what was really used, or not proposed at all.
import { resolve } from 'node:path'
import { toolFamily } from '@belay/core/match'
import { type GenesisPolicy, type Judgement, parseRule, type Rule, type ToolCall } from '@belay/core/policy'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import { broadExamples, givenExamples } from '../lint/broad-example.ts'
import { toolEvent } from '../recorded-call.ts'
import { textOf } from '../replay/replay-tally.ts'
import type { Evidence, LeftOut, SeenCall } from './evidence.ts'
import { commandShape, fileShape, otherShape, type Shape } from './shape-rule.ts'

export interface ProposedRule {
  readonly rule: string
  /** How many calls it rests on, how many of them different, and some of them. */
  readonly calls: number
  readonly different: number
  readonly examples: readonly string[]
  /** Where the evidence is thin. */
  readonly question: string | null
}

export interface Proposal {
  readonly actor: string
  readonly rules: readonly ProposedRule[]
  /** Calls that were used and stay as they are, with the reason. */
  readonly left: readonly { readonly call: string; readonly why: string }[]
  readonly used: number
  readonly refused: number
  readonly leftOut: LeftOut
}

export interface ProposeOptions {
  readonly actor: string
  readonly root: string
  /** The guard with these rules added; none: as it is. */
  guardWith(rules: readonly Rule[]): ProjectGuard
}

interface Judging extends ProposeOptions {
  /** As it is. */
  readonly before: ProjectGuard
}

/** So many different calls make a rule with a `*`. */
const ENOUGH = 3
const EXAMPLES = 3

export function proposeRules(all: Evidence, options: ProposeOptions): Proposal {
  const { actor } = options
  const guard = options.guardWith([])
  const evidence = { ...all, refused: withoutDenied(guard, all.refused) }
  const groups = new Map<string, Group>()
  for (const seen of evidence.used.values()) {
    for (const shape of shapesOf(guard, seen, options)) addTo(groups, shape, seen)
  }
  const chosen = [...groups.values()].flatMap(group => chooseRules(group, evidence, { ...options, before: guard }))
  const needed = keepRefused(dropNeedless(chosen), evidence, options)
  const after = guardOf(needed, options)
  const why = createWhyLeft(evidence, { ...options, before: guard })
  const left = [...evidence.used.values()].flatMap(seen => {
    const judged = judge(after, seen)
    return judged.verdict.decision === 'allow' ? [] : [{ call: titleOf(seen.call), why: why(judged) }]
  })
  return { actor, rules: needed, left, used: all.used.size, refused: all.refused.size, leftOut: all.leftOut }
}

/** What a rule denies, no rule that is added lets through: there is nothing to look out for. */
function withoutDenied(guard: ProjectGuard, refused: Evidence['refused']): Evidence['refused'] {
  const isDenied = (seen: SeenCall): boolean => {
    const { verdict, rule } = judge(guard, seen)
    return verdict.decision === 'deny' && rule?.effect === 'deny'
  }
  return new Map([...refused].filter(([, seen]) => !isDenied(seen)))
}

function guardOf(rules: readonly ProposedRule[], { guardWith }: ProposeOptions): ProjectGuard {
  return guardWith(rules.map(({ rule }) => ruleOf(rule)).filter(rule => rule !== null))
}

/** Rules that let nothing refused through one by one may do so together (`a && b`): of those the one that rests on the least goes. */
function keepRefused(rules: readonly ProposedRule[], { refused }: Evidence, options: ProposeOptions): readonly ProposedRule[] {
  let kept = rules
  let guard = guardOf(kept, options)
  for (const seen of refused.values()) {
    for (let judged = judge(guard, seen); judged.verdict.decision === 'allow'; judged = judge(guard, seen)) {
      const used = new Set(judged.parts.map(({ rule }) => rule?.text))
      // They stand in the order of what they rest on.
      const weakest = kept.findLast(({ rule }) => used.has(rule))
      if (weakest === undefined) break
      kept = kept.filter(each => each !== weakest)
      guard = guardOf(kept, options)
    }
  }
  return kept
}

/** Why no rule is proposed for a part that none covers. Calls of one kind are left for one reason. */
function createWhyLeft(evidence: Evidence, options: Judging): (judged: Judgement) => string {
  const known = new Map<string, string>()
  return ({ decidedBy, parts }) => {
    const said = decidedBy?.reason ?? 'no rule speaks of it'
    if (decidedBy?.decision !== 'default') return said
    const open = parts.find(({ what, decision }) => what === 'unit' && decision === 'default')
    if (open === undefined) return said
    const shape = commandShape(open.normal)
    if (shape === null) return 'it runs code or another program, or what it does is not known before it runs: no rule is narrow enough'
    const rule = shape.exact ?? shape.narrow ?? shape.wide
    if (rule === null) return said
    const before = known.get(rule)
    if (before !== undefined) return before
    const alike = shape.wide !== null && shape.exact === null ? `no three of its kind were seen, and no rule says just this` : null
    const refused = 'with the other rules, one for it would allow what was refused'
    const why = whyUnsafe(rule, evidence, options) ?? alike ?? refused
    known.set(rule, why)
    return why
  }
}

interface Group {
  readonly shape: Shape
  readonly forms: Map<string, Form>
}

/** Calls that are one but for what no rule looks at. */
interface Form extends Pick<Shape, 'exact' | 'narrow'> {
  readonly seen: SeenCall[]
}

function addTo(groups: Map<string, Group>, shape: Shape, seen: SeenCall): void {
  const group = groups.get(shape.key) ?? { shape, forms: new Map<string, Form>() }
  groups.set(shape.key, group)
  const { exact, narrow, form } = shape
  const known = group.forms.get(form)
  if (known !== undefined) known.seen.push(seen)
  else group.forms.set(form, { exact, seen: [seen], ...(narrow === undefined ? {} : { narrow }) })
}

/** One for each part of the call that no rule allows yet. */
function shapesOf(guard: ProjectGuard, seen: SeenCall, options: ProposeOptions): readonly Shape[] {
  const { root } = options
  const judged = judge(guard, seen)
  if (judged.verdict.decision === 'allow' || judged.verdict.decision === 'deny') return []
  const family = toolFamily(seen.call.tool)
  if (family === 'shell') {
    const open = judged.parts.filter(({ decision }) => decision === 'default')
    return open.flatMap(({ what, normal, path }) => {
      if (what === 'unit') return commandShape(normal) ?? []
      return path === undefined ? [] : effectShapes(path.lexical, seen, options)
    })
  }
  const path = seen.call.input.file_path ?? seen.call.input.notebook_path ?? seen.call.input.path
  if ((family === 'read' || family === 'write') && typeof path === 'string')
    return [fileShape(seen.call.tool, resolve(seen.cwd, path), root)]
  return [otherShape(seen.call)]
}

/** Of a file that a command reads or writes: whichever of the two rules covers it. */
function effectShapes(path: string, seen: SeenCall, { root, guardWith }: ProposeOptions): readonly Shape[] {
  const shapes = ['Read', 'Write'].map(tool => fileShape(tool, path, root))
  return shapes.filter(({ exact }) => {
    const rule = exact === null ? null : ruleOf(exact)
    const { parts } = judge(guardWith(rule === null ? [] : [rule]), seen)
    return parts.some(part => part.path?.lexical === path && part.decision === 'allow')
  })
}

function chooseRules({ shape, forms }: Group, evidence: Evidence, options: Judging): readonly ProposedRule[] {
  const all = [...forms.values()]
  const isSafe = (rule: string): boolean => whyUnsafe(rule, evidence, options) === null
  if (shape.wide !== null && (all.length >= ENOUGH || shape.wide === shape.exact) && isSafe(shape.wide)) {
    return [restingOn(shape.wide, all, null)]
  }
  const question = (rule: string): string | null =>
    shape.wide === null || shape.wide === rule ? null : `seen ${seenIn(callsOf(all), all.length)}: is ${shape.wide} meant?`
  const narrower = new Set(all.flatMap(({ narrow }) => narrow ?? []))
  const chosen = [...narrower].flatMap(rule => {
    const covered = all.filter(({ narrow }) => narrow === rule)
    return covered.length >= ENOUGH && isSafe(rule) ? [{ rule, covered }] : []
  })
  const others = all.flatMap(form => {
    const isCovered = chosen.some(({ rule }) => rule === form.narrow)
    return form.exact === null || isCovered || !isSafe(form.exact) ? [] : [{ rule: form.exact, covered: [form] }]
  })
  return [...chosen, ...others].map(({ rule, covered }) => restingOn(rule, covered, question(rule)))
}

function restingOn(rule: string, forms: readonly Form[], question: string | null): ProposedRule {
  const examples = [...new Set(forms.flatMap(({ seen }) => seen.map(({ call }) => titleOf(call))))].slice(0, EXAMPLES)
  return { rule, calls: callsOf(forms), different: forms.length, examples, question }
}

function callsOf(forms: readonly Form[]): number {
  return forms.reduce((sum, { seen }) => sum + seen.reduce((of, { count }) => of + count, 0), 0)
}

function seenIn(calls: number, different: number): string {
  if (calls === 1) return 'only once'
  return different === 1 ? 'in one form only' : `in ${different} forms only`
}

/** null: it parses, lets through nothing that was refused, and nothing that only looks like what was seen. */
function whyUnsafe(text: string, { refused }: Evidence, { guardWith, before, actor, root }: Judging): string | null {
  const rule = ruleOf(text)
  if (rule === null) return 'no rule can say it'
  const after = guardWith([rule])
  const allowed = [...refused.values()].find(seen => judge(after, seen).verdict.decision === 'allow')
  if (allowed !== undefined) return `${text} would allow what was refused: ${titleOf(allowed.call)}`
  const words = rule.spec?.kind === 'command' ? rule.spec.pattern.split(' ') : []
  const given = words.at(-1) === '*' ? givenExamples(words.slice(0, -1)) : []
  const alike = [...broadExamples(words[0] ?? ''), ...given].find(({ command }) => {
    const seen = { call: { tool: 'Bash', input: { command } }, actor: actor.replaceAll('*', 'x'), cwd: root, count: 1 }
    return judge(after, seen).verdict.decision === 'allow' && judge(before, seen).verdict.decision !== 'allow'
  })
  return alike === undefined ? null : `${text} would also allow ${alike.command}`
}

function ruleOf(text: string): Rule | null {
  const parsed = parseRule(text, { effect: 'allow', dialect: 'genesis', id: `learned ${text}` })
  return parsed.ok ? parsed.rule : null
}

/** A rule that another one of the list says too. */
function dropNeedless(rules: readonly ProposedRule[]): readonly ProposedRule[] {
  const unique = rules.filter((each, index) => rules.findIndex(({ rule }) => rule === each.rule) === index)
  return unique.toSorted((a, b) => b.calls - a.calls || a.rule.localeCompare(b.rule))
}

function judge(guard: ProjectGuard, { call, actor, cwd }: SeenCall): Judgement {
  return guard.judge(call, toolEvent({ call, actor, cwd }))
}

function titleOf(call: ToolCall): string {
  return `${call.tool} ${textOf(call)}`
}

/** The policy with rules added to the list that the actor takes its own from. */
export function withRules(policy: GenesisPolicy, actor: string, rules: readonly Rule[]): GenesisPolicy {
  const place = { file: policy.file, line: 1, column: 1 }
  const permissions = policy.permissions ?? { default: 'none' as const, actors: [] }
  const known = permissions.actors.some(block => block.actor === actor)
  const empty = { actor, role: null, allow: [], ask: [], deny: [], place }
  const actors = (known ? permissions.actors : [...permissions.actors, empty]).map(block =>
    block.actor === actor ? { ...block, allow: [...block.allow, ...rules] } : block,
  )
  return { ...policy, permissions: { ...permissions, actors } }
}
