// Rules that do nothing, say two things, or let through more than they look like; and deny rules that another spelling escapes.
import type { GenesisPolicy, Place, Rule } from '@belay/core/policy'
import { findShadow, type PlacedRule } from '../find-shadow.ts'
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
  return [
    ...placed.flatMap((_, index) => lintRepeated(placed, index)),
    ...placed.flatMap(({ rule, actor }) => lintBroad(policy, rule, actor)),
    ...(options.prove ? lintEscaped(policy, placed, options) : []),
  ]
}

function placedRules({ permissions }: GenesisPolicy): readonly PlacedRule[] {
  return (permissions?.actors ?? []).flatMap(({ actor, deny, ask, allow }) =>
    [...deny, ...ask, ...allow].map(rule => ({ rule, actor, inert: null })),
  )
}

function lintRepeated(placed: readonly PlacedRule[], index: number): readonly Finding[] {
  const one = placed[index]
  if (one?.rule.place === undefined) return []
  const { rule, actor } = one
  const place = rule.place as Place
  const isSame = (other: PlacedRule): boolean => other.actor === actor && other.rule.text === rule.text && other.rule.id !== rule.id
  const twin = placed.find((other, at) => at < index && isSame(other) && other.rule.effect === rule.effect)
  if (twin !== undefined) {
    const message = `${rule.effect} ${rule.text} stands in line ${twin.rule.place?.line ?? '?'} already`
    return [{ code: 'duplicate-rule', place, message, remedy: 'remove one of them', fix: { kind: 'remove-rule', text: rule.text } }]
  }
  const opposite = rule.effect === 'allow' ? placed.find(other => isSame(other) && other.rule.effect === 'deny') : undefined
  if (opposite !== undefined) {
    const message = `${rule.text} is allowed here and denied in line ${opposite.rule.place?.line ?? '?'}: the deny always wins`
    return [{ code: 'contradictory-rules', place, message, remedy: 'remove the one that is not meant' }]
  }
  const shadow = findShadow(placed, index)
  if (shadow === null) return []
  const message = `${rule.effect} ${rule.text} never decides: ${shadow.rule.effect} ${shadow.rule.text} (line ${shadow.rule.place?.line ?? '?'}) always does before it`
  return [{ code: 'shadowed-rule', place, message, remedy: 'remove it, or make the other one narrower' }]
}

const BROAD = /^([\w.+-]+)(?: \*+)?$/
const BEFORE_STAR = /^([\w./@:=+, -]+?) \*+$/

/** Reported only with a call that this rule really lets through. */
function lintBroad(policy: GenesisPolicy, rule: Rule, actor: string): readonly Finding[] {
  const { effect, spec, tools, place } = rule
  if (effect !== 'allow' || place === undefined || !tools.some(tool => tool === 'Bash' || tool === '*')) return []
  const pattern = spec?.kind === 'command' ? spec.pattern : ''
  const program = spec === null ? null : BROAD.exec(pattern)?.[1]
  const head = BEFORE_STAR.exec(pattern)?.[1]
  const examples = [...(program === undefined ? [] : broadExamples(program)), ...(head === undefined ? [] : givenExamples(head.split(' ')))]
  if (examples.length === 0) return []
  const guard = imaginedGuard([policy])
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
function lintEscaped(policy: GenesisPolicy, placed: readonly PlacedRule[], { onProgress }: LintOptions): readonly Finding[] {
  const guard = imaginedGuard([policy])
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
