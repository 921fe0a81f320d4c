// Rules that do nothing, say two things, or let through more than they look like; and deny rules that another spelling escapes.
import type { GenesisPolicy, Rule } from '@belay/core/policy'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import { findShadows, type PlacedRule } from '../find-shadow.ts'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { proveProperty, readProperty } from '../prove/prove-property.ts'
import { toolEvent } from '../recorded-call.ts'
import { broadExamples, givenExamples } from './broad-example.ts'
import type { Finding } from './finding.ts'

export interface LintOptions {
  /** Also look for spellings that escape a deny rule: takes seconds. */
  readonly prove: boolean
  onProgress?(done: number, all: number): void
}

export function lintRules(policy: GenesisPolicy, options: LintOptions): readonly Finding[] {
  const placed = placedRules(policy)
  const guard = imaginedGuard([policy])
  return [
    ...lintRepeated(placed),
    ...placed.flatMap(({ rule, actor }) => lintBroad(guard, rule, actor)),
    ...(options.prove ? lintEscaped(guard, placed, options) : []),
  ]
}

function placedRules({ permissions }: GenesisPolicy): readonly PlacedRule[] {
  return (permissions?.actors ?? []).flatMap(({ actor, deny, ask, allow }) =>
    [...deny, ...ask, ...allow].map(rule => ({ rule, actor, inert: null })),
  )
}

function lintRepeated(placed: readonly PlacedRule[]): readonly Finding[] {
  const firsts = new Map<string, Rule>()
  for (const { rule, actor } of placed) {
    const name = nameOf(rule.effect, rule, actor)
    if (!firsts.has(name)) firsts.set(name, rule)
  }
  const shadows = findShadows(placed)
  return placed.flatMap(({ rule, actor }, index) => {
    const ofEffect = (effect: Rule['effect']): Rule | null => {
      const first = firsts.get(nameOf(effect, rule, actor))
      return first === undefined || first.id === rule.id ? null : first
    }
    const opposite = rule.effect === 'allow' ? ofEffect('deny') : null
    return describeRepeated(rule, { twin: ofEffect(rule.effect), opposite, shadow: shadows[index]?.rule ?? null })
  })
}

function nameOf(effect: Rule['effect'], { text }: Rule, actor: string): string {
  return `${effect}\n${actor}\n${text}`
}

/** Rules beside which this one says nothing of its own: the same one, the same one forbidden, one that always decides before it. */
interface Repeated {
  readonly twin: Rule | null
  readonly opposite: Rule | null
  readonly shadow: Rule | null
}

function describeRepeated({ effect, text, place }: Rule, { twin, opposite, shadow }: Repeated): readonly Finding[] {
  if (place === undefined) return []
  if (twin !== null) {
    const message = `${effect} ${text} stands in line ${lineOf(twin)} already`
    return [{ code: 'duplicate-rule', place, message, remedy: 'remove one of them', fix: { kind: 'remove-rule', text } }]
  }
  if (opposite !== null) {
    const message = `${text} is allowed here and denied in line ${lineOf(opposite)}: the deny always wins`
    return [{ code: 'contradictory-rules', place, message, remedy: 'remove the one that is not meant' }]
  }
  if (shadow === null) return []
  const message = `${effect} ${text} never decides: ${shadow.effect} ${shadow.text} (line ${lineOf(shadow)}) always does before it`
  return [{ code: 'shadowed-rule', place, message, remedy: 'remove it, or make the other one narrower' }]
}

function lineOf({ place }: Rule): string {
  return String(place?.line ?? '?')
}

const BROAD = /^([\w.+-]+)(?: \*+)?$/
const BEFORE_STAR = /^([\w./@:=+, -]+?) \*+$/

/** Reported only with a call that this rule really lets through. */
function lintBroad(guard: ProjectGuard, rule: Rule, actor: string): readonly Finding[] {
  const { effect, spec, tools, place } = rule
  if (effect !== 'allow' || place === undefined || !tools.some(tool => tool === 'Bash' || tool === '*')) return []
  const pattern = spec?.kind === 'command' ? spec.pattern : ''
  const program = spec === null ? null : BROAD.exec(pattern)?.[1]
  const head = BEFORE_STAR.exec(pattern)?.[1]
  const examples = [...(program === undefined ? [] : broadExamples(program)), ...(head === undefined ? [] : givenExamples(head.split(' ')))]
  if (examples.length === 0) return []
  const caller = actor.replaceAll('*', 'x')
  const found = examples.find(({ command }) => {
    const call = { tool: 'Bash', input: { command } }
    const { verdict, parts } = guard.judge(call, toolEvent({ call, actor: caller, cwd: IMAGINED_ROOT }))
    return verdict.decision === 'allow' && parts.some(part => part.rule?.id === rule.id)
  })
  if (found === undefined) return []
  const message = `allow ${rule.text} lets through more than it looks like: ${found.why}`
  return [{ code: 'broad-allow', place, message, example: found.command, remedy: 'allow the commands that are meant, or deny this one' }]
}

/** Each deny and ask rule as a property: no spelling of it may be let through. */
function lintEscaped(guard: ProjectGuard, placed: readonly PlacedRule[], { onProgress }: LintOptions): readonly Finding[] {
  const strict = placed.filter(({ rule }) => rule.effect !== 'allow' && rule.place !== undefined)
  return strict.flatMap(({ rule, actor }, index) => {
    onProgress?.(index, strict.length)
    const property = readProperty(`never ${rule.text}`)
    if (!property.ok || rule.place === undefined) return []
    const { counterExample } = proveProperty(guard, property, { actor: actor.replaceAll('*', 'x'), depth: 1, cwd: IMAGINED_ROOT })
    if (counterExample === null) return []
    const { command } = counterExample.call.input
    const example = typeof command === 'string' ? command : `${counterExample.call.tool} ${JSON.stringify(counterExample.call.input)}`
    const by = counterExample.rule === null ? 'no rule speaks of it' : `${counterExample.rule} allows it`
    return [
      {
        code: 'escaped-deny' as const,
        place: rule.place,
        message: `what ${rule.effect} ${rule.text} forbids can be done all the same: ${by}`,
        example,
      },
    ]
  })
}
